// Moves a text to a new change request if its own can no longer be changed.
import { updateOf } from "./updates.js";

/** Sends a request. Returns the response. */
async function post(url, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
  return answer;
}

/**
 * Creates a change request with the text of a page or a reusable content. Returns its number.
 *
 * @param api        address of the space in the API
 * @param page       id of the page; a page that the space lacks is added
 * @param base       revision that the text was typed on, from which it is merged
 * @param isReusable whether it is the text of a reusable content
 */
export async function moveText(api, page, title, text, base, isReusable = false) {
  const { number } = await post(`${api}/change-requests`, { subject: [...`Edit ${title}`].slice(0, 100).join("") });
  const content = `${api}/change-requests/${number}/content`;
  const document = { document: text };
  const update = updateOf(page, title, text, isReusable);
  const insert = { operation: isReusable ? "insert_reusable_content" : "insert_page", title: title || "Untitled", document };
  const tries = [{ base, onStale: "merge", changes: [update] }, { changes: [update] }, { changes: [insert] }];
  for (const [at, body] of tries.entries()) {
    try {
      await post(content, body);
      break;
    } catch (error) {
      if (at === tries.length - 1) throw error;
    }
  }
  return number;
}
