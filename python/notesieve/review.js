// The review widget. Texts come as pieces and are put in as text nodes: no character of a note is read as HTML, and none is
// changed (a parser of HTML would make one line end of \r\n, and every mark behind it would be off by one).

const HELP =
  "Keys: ← → choose a word, with Shift more of them · l leak · x needless · Delete takes the mark at the word away · " +
  "n next note · p previous · u undo. With the mouse: select, then press a button.";

function element(name, attributes = {}, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// Offsets count code points, as in Python; the page counts UTF-16 units.
const points = (text) => [...text].length;

function pointsBefore(root, node, offset) {
  const range = document.createRange();
  range.setStart(root, 0);
  range.setEnd(node, offset);
  return points(range.toString());
}

// The words of a note, as [start, end] in code points.
function wordsOf(text) {
  const found = [];
  for (const match of text.matchAll(/\S+/gu)) {
    const start = points(text.slice(0, match.index));
    found.push([start, start + points(match[0])]);
  }
  return found;
}

function render({ model, el }) {
  // JupyterLab leaves keys alone below this attribute; older ones are stopped where they bubble.
  const root = element("div", { "data-lm-suppress-shortcuts": "true", class: "notesieve-review" });
  root.style.cssText = "border:1px solid #ccc;border-radius:.4em;padding:.8em;background:#fff;color:#111";
  for (const kind of ["keydown", "keyup", "keypress"]) root.addEventListener(kind, (event) => event.stopPropagation());
  const banner = element("div", { role: "note" }, "Original text: it identifies people. Do not save, print or share this.");
  banner.style.cssText = "background:#b3261e;color:#fff;padding:.3em .6em;border-radius:.3em;font-weight:bold";
  const bar = element("div", { role: "toolbar", "aria-label": "Review" });
  bar.style.cssText = "margin:.6em 0;user-select:none";
  const title = element("b");
  const page = element("div", {
    tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", "aria-label": "Note",
  });
  page.style.cssText = "white-space:pre-wrap;line-height:1.6;padding:.4em";
  const list = element("ul", { "aria-label": "Marks of this note" });
  const state = element("div", { role: "status", "aria-live": "polite" });
  state.style.cssText = "color:#555;font-size:85%";
  const help = element("div", {}, HELP);
  help.style.cssText = "color:#555;font-size:85%";

  let selection = null; // the last selected stretch: pressing a button must not lose it
  let word = -1; // where the keyboard is
  let anchor = -1;
  const at = () => String(model.get("at"));
  const marksHere = () => model.get("marks")[at()] || [];
  const text = () => model.get("pieces").map((piece) => piece.text).join("");

  const button = (label, title, act) => {
    const made = element("button", { type: "button", title, "aria-label": title }, label);
    made.style.margin = "0 .2em";
    // The press would end the selection, or begin one of the label.
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", act);
    return made;
  };
  const choice = element("select", { "aria-label": "Category of a leak" });
  for (const name of model.get("categories")) choice.add(new Option(name));

  let waiting = null;
  const send = (marks) => {
    model.set("marks", { ...model.get("marks"), [at()]: marks });
    model.set("sent", model.get("sent") + 1);
    model.save_changes();
    draw();
    clearTimeout(waiting);
    waiting = setTimeout(tell, 3000);
  };
  const tell = () => {
    const missing = model.get("sent") - model.get("taken");
    const lost = `The kernel does not answer: ${missing} changes are not kept. Run the cell again.`;
    const where = model.get("folder") ? `Marks are kept in ${model.get("folder")}.` : "Marks are kept by the kernel alone.";
    state.textContent = missing ? lost : where;
    state.style.color = missing ? "#b3261e" : "#555";
  };
  const mark = (kind) => {
    if (!selection) {
      state.textContent = "Nothing is selected.";
      return;
    }
    const [start, end] = selection;
    const made = { kind, start, end, category: choice.value };
    const same = (one) => one.kind === kind && one.start === start && one.end === end && one.category === made.category;
    if (!marksHere().some(same)) send([...marksHere(), made]);
  };
  const remove = (place) => send(marksHere().filter((_, index) => index !== place));
  const removeHere = () => {
    if (!selection) return;
    const [start, end] = selection;
    const left = marksHere().filter((one) => one.end <= start || end <= one.start);
    if (left.length < marksHere().length) send(left);
  };
  const step = (by) => {
    const next = Math.min(Math.max(model.get("at") + by, 0), model.get("count") - 1);
    if (next === model.get("at")) return;
    model.set("at", next);
    model.save_changes();
  };

  // ---- what is selected

  const nodeAt = (offset) => {
    const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    let left = offset;
    for (let node = walker.nextNode(), last = null; ; last = node, node = walker.nextNode()) {
      if (!node) return last ? [last, last.data.length] : [page, 0];
      const inside = points(node.data);
      if (left <= inside) return [node, [...node.data].slice(0, left).join("").length];
      left -= inside;
    }
  };
  const select = (start, end) => {
    selection = [start, end];
    const chosen = document.getSelection();
    chosen.setBaseAndExtent(...nodeAt(start), ...nodeAt(end));
  };
  const look = () => {
    const holder = page.getRootNode();
    const chosen = holder.getSelection ? holder.getSelection() : document.getSelection();
    if (!chosen || !chosen.rangeCount) return;
    const range = chosen.getRangeAt(0);
    const inside = [range.startContainer, range.endContainer].filter((node) => page.contains(node)).length;
    if (!inside) return; // somebody pressed something else: what was selected before still counts
    selection = range.collapsed || inside < 2
      ? null
      : [pointsBefore(page, range.startContainer, range.startOffset), pointsBefore(page, range.endContainer, range.endOffset)];
  };
  const move = (by, more) => {
    const words = wordsOf(text());
    if (!words.length) return;
    word = Math.min(Math.max(word < 0 ? (by > 0 ? 0 : words.length - 1) : word + by, 0), words.length - 1);
    if (!more || anchor < 0) anchor = word;
    select(words[Math.min(word, anchor)][0], words[Math.max(word, anchor)][1]);
  };
  const keys = {
    ArrowRight: (event) => move(1, event.shiftKey),
    ArrowLeft: (event) => move(-1, event.shiftKey),
    l: () => mark("leak"),
    x: () => mark("needless"),
    Delete: removeHere,
    n: () => step(1),
    p: () => step(-1),
    u: () => marksHere().length && remove(marksHere().length - 1),
  };
  page.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key](event);
  });
  page.addEventListener("mouseup", look);
  document.addEventListener("selectionchange", look);

  // ---- what is shown

  const styles = { leak: "outline:2px solid #b3261e;", needless: "outline:2px dashed #1b6e3c;text-decoration:line-through;" };
  const drawText = () => {
    page.replaceChildren();
    const marks = marksHere();
    let begin = 0;
    for (const piece of model.get("pieces")) {
      const letters = [...piece.text];
      const end = begin + letters.length;
      const inside = (place) => begin < place && place < end;
      const cuts = [begin, ...marks.flatMap((one) => [one.start, one.end]).filter(inside), end].sort((a, b) => a - b);
      for (let cut = 1; cut < cuts.length; cut++) {
        if (cuts[cut] === cuts[cut - 1]) continue;
        const over = marks.filter((one) => one.start < cuts[cut] && cuts[cut - 1] < one.end);
        const span = element("span", {}, letters.slice(cuts[cut - 1] - begin, cuts[cut] - begin).join(""));
        span.style.cssText = (piece.colour ? `background:${piece.colour};` : "") + over.map((one) => styles[one.kind]).join("");
        span.title = [piece.title, ...over.map((one) => `marked: ${one.kind}`)].filter(Boolean).join("; ");
        if (over.length) span.dataset.mark = over.map((one) => one.kind).join(" ");
        page.append(span);
      }
      begin = end;
    }
  };
  const drawList = () => {
    list.replaceChildren();
    const letters = [...text()];
    marksHere().forEach((one, place) => {
      const words = letters.slice(one.start, one.end).join("");
      const name = one.kind === "leak" ? `leak, ${one.category}` : "needless";
      const row = element("li", {}, `${name}: ${words} (${one.start} to ${one.end}) `);
      row.append(button("✕", `Take the mark back: ${name}, ${words}`, () => remove(place)));
      list.append(row);
    });
  };
  const where = element("span");
  const draw = () => {
    const before = selection;
    where.textContent = ` ${model.get("at") + 1} of ${model.get("count")} `;
    title.textContent = model.get("title");
    drawText();
    drawList();
    tell();
    if (before) select(...before);
  };
  const turn = () => {
    selection = null;
    word = anchor = -1;
    draw();
  };
  bar.append(
    button("◀", "Previous note", () => step(-1)), where, button("▶", "Next note", () => step(1)), choice,
    button("leak", "Leak: the selected text should have gone", () => mark("leak")),
    button("needless", "Needless: the selected text should have stayed", () => mark("needless")),
    button("undo", "Take the last mark of this note back", () => keys.u()),
  );
  model.on("change:pieces", turn);
  model.on("change:marks", draw);
  model.on("change:taken", tell);
  model.on("change:title", () => (title.textContent = model.get("title")));
  root.append(banner, bar, title, page, list, state, help);
  el.append(root);
  draw();
  return () => {
    clearTimeout(waiting);
    document.removeEventListener("selectionchange", look);
  };
}

export default { render };
