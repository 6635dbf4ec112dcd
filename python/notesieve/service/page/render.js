// What the page shows: pure functions of an answer of the service, and elements made of them. Texts are put in as text
// nodes: no character of a note is read as HTML.

export const CATEGORIES = {
  NAME: "Names", DATE: "Dates", AGE: "Ages over 89", LOCATION: "Places", CONTACT: "Contacts", ID: "Identifiers",
  UNLISTED: "On no list",
};
const STATUSES = ["negated", "hypothetical", "historical", "possible", "family"];
const SYSTEMS = {
  mesh: "MeSH", hp: "HPO", doid: "Disease Ontology", mondo: "MONDO", icd10cm: "ICD-10-CM", drugbank: "DrugBank",
};
const REASONS = {
  unlisted: "Nothing vouches for it: it is on no list and in no term.",
  finding: "Rules or the model found an identifier here.",
  glued: "It is glued to what was removed, or nothing vouches for the two together.",
  "name-list": "It is on a list of names or places.",
  section: "The policy drops this section.",
  header: "The policy drops the header of the note.",
  punctuation: "It is punctuation.",
  list: "It is on an allowed list, and nothing stronger speaks against it.",
  term: "It is part of a medical term.",
  vouched: "A rule vouches for it.",
  policy: "The policy keeps what nothing speaks against.",
  own: "It is a tag or a code that notesieve itself writes.",
  judged: "It is on no list, and the model is sure that it identifies nobody.",
};
const ACTIONS = { keep: "Kept", code: "Kept and coded", remove: "Removed" };

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const statusesOf = (concept) => STATUSES.filter((status) => concept[status]);
export const systemOf = (code) => SYSTEMS[code.split(":")[0]] ?? code.split(":")[0];
const kindOf = (removal) => (removal.kind ?? "on no list").replaceAll("-", " ");

// Cut a text into pieces: marked ones (removed or coded), words, and what is between them. Positions count code points.
// `original` says which of the two texts is cut. Each piece that can be explained knows its place in the original.
export function piecesOf(points, answer, original) {
  const marks = [];
  for (const removal of answer.removed) {
    const { start, end, output_start, output_end, category } = removal;
    const [from, to] = original ? [start, end] : [output_start, output_end];
    marks.push({ from, to, start, end, className: category, label: kindOf(removal), removal });
  }
  const sources = sourcesOf(answer.decisions);
  for (const concept of answer.concepts) {
    const place = sources(concept.start, concept.end);
    if (concept.ambiguous || !place) continue;
    const [from, to] = original ? place : [concept.start, concept.end];
    const statuses = statusesOf(concept);
    const className = statuses.length ? ["coded", "doubted", ...statuses].join(" ") : "coded";
    marks.push({ from, to, start: place[0], end: place[1], className, label: statuses.join(", "), concept });
  }
  for (const decision of answer.decisions) {
    if (decision.action === "remove" || decision.reason === "punctuation") continue;
    const [from, to] = original ? [decision.start, decision.end] : [decision.output_start, decision.output_end];
    marks.push({ from, to, start: decision.start, end: decision.end });
  }
  return cut(points, marks);
}

// Give what finds the place in the original of a stretch of the output.
function sourcesOf(decisions) {
  const starts = new Map(), ends = new Map();
  for (const { start, end, output_start, output_end } of decisions) {
    if (!starts.has(output_start)) starts.set(output_start, start);
    ends.set(output_end, end);
  }
  return (from, to) => (starts.has(from) && ends.has(to) ? [starts.get(from), ends.get(to)] : null);
}

function cut(points, marks) {
  const isMarked = (mark) => Number(mark.className !== undefined);
  marks.sort((one, other) => one.from - other.from || isMarked(other) - isMarked(one));
  const pieces = [];
  let at = 0;
  for (const mark of marks) {
    if (mark.from < at || mark.to <= mark.from) continue; // inside a marked piece
    if (mark.from > at) pieces.push({ text: points.slice(at, mark.from).join("") });
    pieces.push({ ...mark, text: points.slice(mark.from, mark.to).join("") });
    at = mark.to;
  }
  if (at < points.length) pieces.push({ text: points.slice(at).join("") });
  return pieces;
}

// Make the element of a piece: a button among the words, of which one at a time is in the tab order.
export function pieceElement(piece, place, codes) {
  if (piece.start === undefined) return document.createTextNode(piece.text);
  const made = element("span", { "data-word": place, role: "button", tabindex: "-1" });
  // The text of a mark has an element of its own: what strikes it out leaves the label beside it alone.
  made.append(piece.className ? element("span", {}, piece.text) : piece.text);
  if (piece.className) {
    made.className = piece.className;
    made.dataset.mark = "";
    const code = piece.concept && codes ? piece.concept.code : "";
    const label = [piece.label, code].filter(Boolean).join(" · ");
    if (label) made.dataset.label = label;
    const told = piece.concept ? [piece.label, piece.concept.name] : ["removed", piece.label];
    made.setAttribute("aria-label", [piece.text, ...told].filter(Boolean).join(", "));
    made.title = piece.concept ? `${piece.concept.code} ${piece.concept.name}` : `removed: ${piece.label}`;
  }
  return made;
}

export function legend(answer) {
  const items = [];
  const add = (className, label, count) =>
    count && items.push(element("li", { class: className }, label, element("b", {}, String(count))));
  for (const [category, label] of Object.entries(CATEGORIES)) {
    add(category, label, answer.removed.filter((removal) => removal.category === category).length);
  }
  const clear = answer.concepts.filter((concept) => !concept.ambiguous);
  const doubted = clear.filter((concept) => statusesOf(concept).length).length;
  add("coded", "Coded terms", clear.length - doubted);
  add("doubted", "Not affirmed", doubted);
  return items;
}

// Rules put examples between backticks.
function withCode(text) {
  return text.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

function evidenceList(title, evidence) {
  if (!evidence.length) return [];
  const rows = evidence.map(({ weight, source, about }) => {
    const named = weight === "listed" && source !== "term" ? `list: ${source}` : source;
    const row = element("li", {}, element("span", { class: "weight" }, weight), named);
    if (about) row.append(element("span", { class: "about" }, ...withCode(about)));
    return row;
  });
  return [element("h4", {}, title), element("ul", {}, ...rows)];
}

function conceptRows(concept) {
  const rows = [`${concept.code} · ${systemOf(concept.code)}`, `group: ${concept.group}`];
  for (const status of statusesOf(concept)) {
    const cue = concept.reasons[status];
    rows.push(cue ? `${status} by: ${cue}` : status);
  }
  return [element("h4", {}, concept.name), element("ul", {}, ...rows.map((row) => element("li", {}, row)))];
}

// Say why a piece is as it is. A removed piece may be several words: `step` shows another one.
export function whyElements(piece, tokens, at, step) {
  const token = tokens[at];
  const of = (side) => token.evidence.filter((one) => one.side === side);
  const shown = [
    element("span", { class: `badge ${token.action}` }, ACTIONS[token.action]),
    element("h3", {}, piece.text.replace(/\s+/g, " ")),
    element("p", {}, REASONS[token.reason] ?? token.reason),
  ];
  if (tokens.length > 1) {
    const button = (label, name, to) => {
      const made = element("button", { type: "button", "aria-label": name }, label);
      made.disabled = to < 0 || to >= tokens.length;
      made.addEventListener("click", () => step(to));
      return made;
    };
    const told = `word ${at + 1} of ${tokens.length}, ${token.start}–${token.end}`;
    shown.push(element("div", { class: "steps" }, button("‹", "Previous word", at - 1), told,
      button("›", "Next word", at + 1)));
  } else {
    shown.push(element("p", { class: "about" }, `characters ${token.start} to ${token.end} of the note`));
  }
  if (piece.concept) shown.push(...conceptRows(piece.concept));
  shown.push(...evidenceList("Against it", of("against")), ...evidenceList("For it", of("for")));
  const [judgement] = of("model");
  if (judgement) {
    const model = { ...judgement, source: `log-odds that it identifies (${judgement.source})` };
    shown.push(...evidenceList("The model", [model]));
    if (of("feature").length) {
      const rows = evidenceList("", of("feature")).at(-1);
      shown.push(element("details", {}, element("summary", {}, "What weighed most"), rows));
    }
  }
  return shown;
}
