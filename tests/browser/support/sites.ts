// The sites that the tests walk through, as support/seed.ts made them.
import { readFileSync } from "node:fs";

export interface Sites {
  /** Imported documentation: 25 pages on three levels, one of them long, with most blocks. */
  ferry: string;
  /** Pages of two public sets of documentation, imported. */
  fluentd: string;
  book: string;
  /** A page with every block, as users can write them. */
  blocks: string;
  /** Pages whose every value is an attack, and the paths of them. */
  hostile: string;
  hostilePages: string[];
  /** Sections, a group of sections, versions and languages. */
  structured: string;
  /** A site with all settings of the frame. */
  dressed: string;
  /** A site by share link: without and with the key. */
  shared: string;
  sharedWithKey: string;
  /** A site for visitors with a token, and such tokens: without and with the claim `plan`. */
  vouched: string;
  token: string;
  tokenOfPro: string;
  /** A site at a host name of its own. */
  hosted: string;
  /** Ids of the spaces of these sites. */
  ferrySpace: string;
  blocksSpace: string;
  fluentdSpace: string;
  bookSpace: string;
  hostileSpace: string;
}

export function sites(): Sites {
  return JSON.parse(readFileSync(process.env.QUIRE_SITES ?? "", "utf8"));
}
