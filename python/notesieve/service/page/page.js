// The page: sends the note to the service it came from, shows the answer, and keeps nothing.

import { element, legend, pieceElement, piecesOf, whyElements } from "./render.js";

const byId = (id) => document.getElementById(id);
const note = byId("note"), result = byId("result"), why = byId("why"), status = byId("status"), policy = byId("policy");
// More words than this are not made into elements each: only what is removed or coded is.
const MOST_WORDS = 30_000;
const DELAY = 200; // milliseconds after the last key

let token = ""; // in memory only
let shown = null; // the answer on the page, with the note it is for
let pieces = [];
let current = -1; // the piece that is in the tab order
let pending = null; // stops the request under way
let timer = 0;

async function ask(path, body, signal) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  const options = { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), signal };
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (answer.ok) return content;
  if (answer.status === 401) askForToken();
  throw new Error(content.detail ?? content.title);
}

function askForToken() {
  byId("token-form").hidden = false;
  byId("token").focus();
}

function tell(message, failed = false) {
  status.textContent = message;
  status.classList.toggle("failed", failed);
}

function fail(problem) {
  if (problem.name === "AbortError") return;
  tell(problem instanceof TypeError ? "The service does not answer." : problem.message, true);
}

async function loadPolicies() {
  const { policies } = await ask("policies");
  policy.replaceChildren(...policies.map(({ name, about }) => {
    const option = new Option(name, name);
    option.dataset.about = about;
    return option;
  }));
  describePolicy();
}

function describePolicy() {
  byId("policy-about").textContent = policy.selectedOptions[0]?.dataset.about ?? "";
}

// What the patient's fields say, as the service takes it.
function patientOf() {
  const values = (id) => byId(id).value.split(";").map((value) => value.trim()).filter(Boolean);
  const [names, other, [id]] = [values("names"), values("other"), values("patient-id")];
  return names.length || other.length || id ? { names, other, ...(id && { id }) } : undefined;
}

async function scrub() {
  clearTimeout(timer);
  pending?.abort();
  pending = new AbortController();
  const { signal } = pending;
  const text = note.value;
  if (!text.trim()) {
    reset();
    return;
  }
  const begin = performance.now();
  const asked = { text, policy: policy.value || undefined, patient: patientOf() };
  try {
    const answer = await ask("scrub", { ...asked, decisions: true }, signal);
    shown = { asked, answer };
    show();
    const counts = `${answer.removed.length} removed, ${answer.concepts.length} terms coded`;
    tell(`${counts}, ${Math.round(performance.now() - begin)} ms`);
  } catch (problem) {
    fail(problem);
  }
}

function reset() {
  shown = null;
  pieces = [];
  current = -1;
  result.replaceChildren(element("p", { class: "empty" }, "The de-identified note appears here as you type."));
  byId("legend").replaceChildren();
  emptyWhy();
  tell("");
  enable();
}

function emptyWhy() {
  why.replaceChildren(element("p", { class: "empty" },
    "Choose a word of the result: the rules, lists and model features that decided appear here."));
}

function enable() {
  for (const id of ["verify", "copy", "download"]) byId(id).disabled = !shown;
}

function show() {
  const original = byId("original").checked;
  byId("warning").hidden = !original;
  result.classList.toggle("original", original);
  result.setAttribute("aria-label", original ? "Original note with marks" : "De-identified note");
  enable();
  if (!shown) return;
  const { answer, asked } = shown;
  const points = Array.from(original ? asked.text : answer.text);
  pieces = piecesOf(points, answer, original);
  if (pieces.length > MOST_WORDS) {
    pieces = pieces.map((piece) => (piece.className ? piece : { text: piece.text }));
  }
  const codes = byId("codes").checked;
  result.replaceChildren(...pieces.map((piece, place) => pieceElement(piece, place, codes)));
  byId("legend").replaceChildren(...legend(answer));
  emptyWhy();
  current = pieces.findIndex((piece) => piece.className);
  if (current < 0) current = pieces.findIndex((piece) => piece.start !== undefined);
  elementAt(current)?.setAttribute("tabindex", "0");
}

const elementAt = (place) => result.querySelector(`[data-word="${place}"]`);

// Move the place in the tab order to another piece, and the focus with it.
function moveTo(place) {
  const target = elementAt(place);
  if (!target) return;
  elementAt(current)?.setAttribute("tabindex", "-1");
  current = place;
  target.setAttribute("tabindex", "0");
  target.focus();
}

function next(from, step, fits) {
  for (let place = from + step; place >= 0 && place < pieces.length; place += step) {
    if (fits(pieces[place])) return place;
  }
  return from;
}

const isWord = (piece) => piece.start !== undefined;
const isMark = (piece) => piece.className !== undefined;
const MOVES = {
  ArrowRight: () => next(current, 1, isWord),
  ArrowLeft: () => next(current, -1, isWord),
  ArrowDown: () => next(current, 1, isMark),
  ArrowUp: () => next(current, -1, isMark),
  Home: () => next(-1, 1, isWord),
  End: () => next(pieces.length, -1, isWord),
};

async function explain(place) {
  const piece = pieces[place];
  if (piece?.start === undefined) return;
  result.querySelector(".chosen")?.classList.remove("chosen");
  elementAt(place)?.classList.add("chosen");
  try {
    const { start, end } = piece;
    const { tokens } = await ask("explain", { ...shown.asked, start, end });
    if (pieces[place] !== piece) return; // another answer is on the page by now
    const step = (at) => why.replaceChildren(...whyElements(piece, tokens, at, step));
    step(0);
  } catch (problem) {
    fail(problem);
  }
}

async function verify() {
  try {
    const { allowed, tokens, not_allowed } = await ask("verify", { text: shown.answer.text, policy: shown.asked.policy });
    const count = Object.values(tokens).reduce((sum, each) => sum + each, 0);
    const places = not_allowed.map(({ start, end, kind }) => `${kind} at ${start}:${end}`).join(", ");
    tell(allowed ? `Verified: each of ${count} tokens is allowed.` : `Not allowed: ${places}`, !allowed);
  } catch (problem) {
    fail(problem);
  }
}

const output = () => (byId("codes").checked ? shown.answer.coded_text : shown.answer.text);

async function copy() {
  try {
    await navigator.clipboard.writeText(output());
    tell("Copied.");
  } catch {
    tell("The browser does not allow copying here: use Download.", true);
  }
}

function download() {
  const link = element("a", { href: URL.createObjectURL(new Blob([output()], { type: "text/plain" })),
    download: "scrubbed-note.txt" });
  link.click();
  URL.revokeObjectURL(link.href);
  tell("Downloaded.");
}

async function read(file) {
  if (!file) return;
  const bytes = await file.arrayBuffer();
  try {
    note.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    tell("The file is not UTF-8 text: `notesieve scrub` reads other files.", true);
    return;
  }
  await scrub();
}

const EXAMPLE = `DISCHARGE SUMMARY

PATIENT: Brown, Harold T.     MRN: 4471-0926
DOB: 3/4/1931                 ADMITTED: 11/02/2024
ATTENDING: Rosalind K. Small, MD

HISTORY: Mr. Brown is a 93-year-old man with coronary artery disease, atrial fibrillation and Parkinson's disease, \
brought in by his daughter May for shortness of breath. No chest pain. Father had diabetes mellitus. He lives alone at \
18 Quarry Hill Road in Tamarack, Vermont 05099.

EXAMINATION: BP 148/86, pulse 112, oxygen saturation 88% on room air. Possible small left pleural effusion.

PLAN: Furosemide 40 mg IV b.i.d.; metoprolol succinate 25 mg daily. Foley catheter removed. Dr. Page, (802) 555-0143, \
on November 18 at 10:30. Daughter May can be reached at 802-555-0177.
`;

function listen() {
  note.addEventListener("input", ({ inputType }) => {
    clearTimeout(timer);
    if (inputType === "insertFromPaste") scrub();
    else timer = setTimeout(scrub, DELAY);
  });
  byId("patient").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(scrub, DELAY);
  });
  policy.addEventListener("change", () => {
    describePolicy();
    scrub();
  });
  const press = (id, act) => byId(id).addEventListener("click", act);
  press("example", () => {
    note.value = EXAMPLE;
    scrub();
  });
  press("clear", () => {
    note.value = "";
    scrub();
    note.focus();
  });
  press("open", () => byId("file").click());
  byId("file").addEventListener("change", ({ target }) => {
    read(target.files[0]);
    target.value = "";
  });
  press("verify", verify);
  press("copy", copy);
  press("download", download);
  for (const id of ["codes", "original"]) byId(id).addEventListener("change", show);
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    token = byId("token").value.trim();
    byId("token").value = "";
    byId("token-form").hidden = true;
    start();
  });
}

function listenToWords() {
  result.addEventListener("click", ({ target }) => {
    const word = target.closest("[data-word]");
    if (!word || String(document.getSelection())) return; // a selection is no choice of a word
    const place = Number(word.dataset.word);
    moveTo(place);
    explain(place);
  });
  result.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || current < 0) return;
    if (event.key === "Enter" || event.key === " ") explain(current);
    else if (event.key in MOVES) moveTo(MOVES[event.key]());
    else return;
    event.preventDefault();
  });
}

function listenToFiles() {
  const card = byId("input-card");
  const over = (event) => {
    event.preventDefault();
    card.classList.toggle("dropping", event.type === "dragover");
  };
  // Whatever is dropped beside the card must not make the browser leave the page.
  for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, over);
  document.addEventListener("drop", (event) => {
    const { files } = event.dataTransfer;
    if (files.length) read(files[0]);
    else note.setRangeText(event.dataTransfer.getData("text")), scrub();
  });
}

async function start() {
  try {
    await loadPolicies();
    tell("");
    if (note.value) await scrub();
  } catch (problem) {
    fail(problem);
  }
}

const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
byId("place").textContent = local ? "On this machine. Nothing leaves it." : `Notes are sent to ${location.host}.`;
listen();
listenToWords();
listenToFiles();
start();
