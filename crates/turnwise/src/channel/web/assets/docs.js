// Draws the description of the API with Redoc. Its search would need a worker made of a text, which the policy of the page
// does not allow; the browser's own search does as well, because the whole is in the page.

/* global Redoc */
Redoc.init("/openapi.json", {
  disableSearch: true, hideDownloadButton: false, expandResponses: "200,201", requiredPropsFirst: true, sortPropsAlphabetically: false,
  theme: { colors: { primary: { main: "#3a56d4" } }, typography: { fontFamily: "system-ui, sans-serif", headings: { fontFamily: "system-ui, sans-serif" } }, sidebar: { width: "16rem" } },
}, document.getElementById("redoc"));
