// Emoji and icons by their names, which are loaded when one is chosen. The files are written by a test of the server.
import emoji from "./emoji.json" with { type: "json" };
import icons from "./icons.json" with { type: "json" };

export { emoji, icons };
