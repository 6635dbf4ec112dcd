//! Ordinary words that the names of streets end with.

use crate::rules::engine::View;
use crate::rules::engine::word_sets::WordSet;

/// Words that the names of streets end with: those of Publication 28 of the US Postal Service, and of the Australian list of road
/// types. Most of them are ordinary words, so they count behind a number and a name only. Sorted.
#[rustfmt::skip]
static SUFFIXES: WordSet = WordSet::new(&[
    "access", "alley", "alleys", "alleyway", "amble", "anchorage", "annex", "annexes", "approach", "arcade", "arcades",
    "arterial", "artery", "avenue", "avenues", "basin", "bayou", "bayous", "beach", "beaches", "bend", "bends", "bluff",
    "bluffs", "bottom", "bottoms", "boulevard", "boulevards", "brace", "brae", "branch", "branches", "bridge",
    "bridges", "broadway", "brook", "brooks", "brow", "bypass", "bypasses", "byway", "camp", "camps", "canyon",
    "canyons", "cape", "capes", "causeway", "causeways", "centreway", "chase", "circle", "circles", "circlet",
    "circuit", "circus", "cliff", "cliffs", "close", "club", "clubs", "colonnade", "common", "commons", "concourse",
    "copse", "corner", "corners", "corso", "course", "courses", "court", "courts", "courtyard", "cove", "coves",
    "creek", "creeks", "crescent", "crescents", "crest", "crests", "crossing", "crossings", "crossroad", "crossroads",
    "crossway", "cruiseway", "curve", "curves", "dale", "dales", "dam", "dams", "dell", "dells", "distributor",
    "divide", "divides", "downs", "drive", "drives", "driveway", "elbow", "elbows", "entrance", "esplanade",
    "esplanades", "estate", "estates", "expressway", "expressways", "extension", "extensions", "fall", "falls",
    "ferries", "ferry", "field", "fields", "firetrail", "flat", "flats", "ford", "fords", "foreshore", "forest",
    "forests", "forge", "forges", "fork", "forks", "formation", "formations", "fort", "forts", "freeway", "freeways",
    "frontage", "gap", "garden", "gardens", "gate", "gates", "gateway", "gateways", "glade", "glen", "glens", "grange",
    "green", "greens", "grove", "groves", "gully", "harbor", "harbors", "haven", "havens", "heights", "highroad",
    "highway", "highways", "hill", "hills", "hollow", "hollows", "inlet", "inlets", "interchange", "intersection",
    "island", "islands", "isle", "isles", "junction", "junctions", "key", "keys", "knoll", "knolls", "lake", "lakes",
    "landing", "landings", "lane", "lanes", "laneway", "lees", "light", "lights", "line", "lines", "loaf", "loafs",
    "lock", "locks", "lookout", "lookouts", "loop", "loops", "mall", "malls", "manor", "manors", "mead", "meadow",
    "meadows", "meads", "mew", "mews", "mill", "mills", "mission", "missions", "motorway", "motorways", "mount",
    "mountain", "mountains", "mounts", "neck", "necks", "nook", "nooks", "orchard", "orchards", "outlook", "oval",
    "ovals", "overpass", "overpasses", "paddock", "paddocks", "parade", "parades", "park", "parklands", "parks",
    "parkway", "parkways", "pass", "passage", "passages", "passes", "path", "paths", "pathway", "piazza", "pike",
    "pikes", "pine", "pines", "place", "places", "plain", "plains", "plateau", "plateaus", "plaza", "plazas", "pocket",
    "point", "points", "port", "ports", "prairie", "prairies", "promenade", "promenades", "quad", "quadrangle",
    "quadrant", "quadrants", "quay", "quays", "radial", "radials", "ramp", "ramps", "ranch", "ranches", "rapid",
    "rapids", "reserve", "reserves", "rest", "rests", "retreat", "retreats", "ride", "rides", "ridge", "ridges",
    "ridgeway", "rise", "rises", "river", "rivers", "riverway", "riviera", "road", "roads", "roadside", "roadway",
    "ronde", "rosebowl", "rotary", "round", "rounds", "route", "routes", "row", "rows", "run", "runs", "shoal",
    "shoals", "shore", "shores", "siding", "skyway", "skyways", "slope", "slopes", "sound", "sounds", "spring",
    "springs", "spur", "spurs", "square", "squares", "stairs", "station", "stations", "strand", "stravenue",
    "stravenues", "stream", "streams", "street", "streets", "subway", "summit", "summits", "tarn", "terrace",
    "terraces", "thoroughfare", "throughway", "throughways", "tollway", "tollways", "top", "tor", "towers", "trace",
    "traces", "track", "tracks", "trafficway", "trafficways", "trail", "trails", "traverse", "triangle", "trunkway",
    "tunnel", "tunnels", "turnpike", "turnpikes", "underpass", "underpasses", "union", "unions", "vale", "valley",
    "valleys", "viaduct", "viaducts", "view", "views", "village", "villages", "villas", "ville", "villes", "vista",
    "vistas", "wade", "walk", "walks", "walkway", "wall", "walls", "way", "ways", "well", "wells", "wharf", "wynd",
    "wynds", "yard", "yards",
]);

/// Whether the word is one that streets end with.
pub(super) fn is_suffix(view: &View<'_>, at: usize) -> bool {
    SUFFIXES.has(view, at)
}
