// Sets the theme that a visitor chose. It runs before the first paint, so that the page doesn't flash in the other theme.
try {
  const theme = localStorage.getItem("quire-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage shows the theme of the site.
}
