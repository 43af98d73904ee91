// Sites for the tests, created by support/seed.ts.
import { readFileSync } from "node:fs";

export interface Sites {
  /** Imported documentation: 25 pages on three levels, one of them long, with most blocks. */
  ferry: string;
  /** Two imported sets of public documentation. */
  fluentd: string;
  book: string;
  /** Page with every block, as users can write them. */
  blocks: string;
  /** Site with an attack in each value of its pages, and the paths of these pages. */
  hostile: string;
  hostilePages: string[];
  /** Sections, a group of sections, versions and languages. */
  structured: string;
  /** Site with all settings of the frame. */
  dressed: string;
  /** Site with a share link: without and with the key. */
  shared: string;
  sharedWithKey: string;
  /** Site for visitors with a token, and tokens without and with the claim `plan`. */
  vouched: string;
  token: string;
  tokenOfPro: string;
  /** Site with its own host name. */
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
