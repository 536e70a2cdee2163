// Draws the description of the API with Redoc, in the light or dark of the system. Its search would need a worker made
// of a text, which the policy of the page does not allow; the browser's own search does as well, because the whole is in
// the page. What it leaves out for screen readers is put in afterwards: landmarks, and headings without gaps.

/* global Redoc */
const dark = matchMedia("(prefers-color-scheme: dark)");
const pick = (light, other) => (dark.matches ? other : light);
const fonts = { fontFamily: "system-ui, sans-serif" };
const [ink, dim, accent, ground, raised, rule] = [pick("#1d2127", "#e8eaee"), pick("#5b6470", "#a2abb8"), pick("#3a56d4", "#93a8ff"),
  pick("#ffffff", "#16181d"), pick("#f6f7f9", "#1c1f25"), pick("#e2e5ea", "#2c3038")];
const [good, bad, warn] = [pick("#1b6b3a", "#7fd79b"), pick("#b42318", "#ff9b90"), pick("#7d4e00", "#ecbe6c")];

const theme = {
  colors: {
    primary: { main: accent }, success: { main: good }, error: { main: bad }, warning: { main: warn, contrastText: ground }, gray: { 50: raised, 100: rule },
    text: { primary: ink, secondary: dim }, border: { dark: rule, light: rule },
    responses: { success: { color: good, backgroundColor: raised, tabTextColor: "#7fd79b" }, error: { color: bad, backgroundColor: raised, tabTextColor: "#ff9b90" },
      redirect: { color: warn, backgroundColor: raised, tabTextColor: "#ecbe6c" }, info: { color: accent, backgroundColor: raised, tabTextColor: "#93a8ff" } },
    http: { get: "#1b6b3a", post: "#3a56d4", put: "#7d4e00", delete: "#b42318", patch: "#7d4e00", head: "#5b6470", options: "#5b6470" },
  },
  schema: { nestedBackground: raised, linesColor: rule, typeNameColor: dim, typeTitleColor: dim, requireLabelColor: bad, arrow: { color: dim } },
  typography: { ...fonts, headings: fonts, code: { color: bad, backgroundColor: raised }, links: { color: accent, visited: accent, hover: accent } },
  sidebar: { width: "16rem", backgroundColor: pick("#f6f7f9", "#111317"), textColor: ink, activeTextColor: accent },
  rightPanel: { backgroundColor: "#1c2433", textColor: "#ffffff" },
};

/** Landmarks by their names, and each heading at most one level below the one before it. */
function mend(root) {
  root.querySelector(".menu-content")?.setAttribute("role", "navigation");
  root.querySelector(".menu-content")?.setAttribute("aria-label", "Requests");
  root.querySelector(".api-content")?.setAttribute("role", "main");
  let before = 0;
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(Number(heading.tagName[1]), before + 1);
    if (heading.getAttribute("aria-level") !== String(level)) heading.setAttribute("aria-level", level);
    before = level;
  }
}

function start() {
  const root = document.getElementById("redoc");
  // Parts are drawn as they are opened.
  new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true });
  dark.addEventListener("change", () => location.reload());
  Redoc.init("/openapi.json", { disableSearch: true, hideDownloadButton: false, expandResponses: "200,201", requiredPropsFirst: true,
    sortPropsAlphabetically: false, theme }, root, () => mend(root));
}

start();
