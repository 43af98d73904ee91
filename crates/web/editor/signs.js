// Emoji and icons by name, loaded on first use. A test of the server writes the files.
import emoji from "./emoji.json" with { type: "json" };
import icons from "./icons.json" with { type: "json" };

export { emoji, icons };
