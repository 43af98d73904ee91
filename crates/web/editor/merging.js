// Merges changes by others into a text that is being typed, block by block.

/** Maximum number of cells of an alignment table. Longer texts differ as a whole between their common ends. */
const MOST = 4_000_000;

const inOrder = (_, value) => (value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value);

/** Returns blocks as texts that are equal for equal blocks. The server may order object members differently. */
export const textsOf = (blocks) => blocks.map((block) => JSON.stringify(block, inOrder));

/** Returns the lengths of the common start and end of two lists. */
function commonEnds(one, other) {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < least - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return { start, end };
}

/**
 * Returns the differences of two lists by their longest common subsequence: `{from, to}` in the first, `{start, end}`
 * in the second.
 */
export function differences(one, other) {
  const ends = commonEnds(one, other);
  const [height, width] = [one.length - ends.end - ends.start, other.length - ends.end - ends.start];
  if (height === 0 && width === 0) return [];
  const whole = { from: ends.start, to: ends.start + height, start: ends.start, end: ends.start + width };
  if (height === 0 || width === 0 || height * width > MOST) return [whole];
  // Lengths of the longest common subsequences from two indexes on.
  const lengths = new Uint32Array((height + 1) * (width + 1));
  const at = (row, column) => row * (width + 1) + column;
  const isSame = (row, column) => one[ends.start + row] === other[ends.start + column];
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = width - 1; column >= 0; column -= 1) {
      lengths[at(row, column)] = isSame(row, column)
        ? lengths[at(row + 1, column + 1)] + 1
        : Math.max(lengths[at(row + 1, column)], lengths[at(row, column + 1)]);
    }
  }
  const found = [];
  let [row, column] = [0, 0];
  let open = null;
  const note = (rows, columns) => {
    open ??= { from: ends.start + row, to: ends.start + row, start: ends.start + column, end: ends.start + column };
    open.to += rows;
    open.end += columns;
    row += rows;
    column += columns;
  };
  while (row < height || column < width) {
    if (row < height && column < width && isSame(row, column)) {
      if (open) found.push(open);
      open = null;
      row += 1;
      column += 1;
    } else if (column >= width || (row < height && lengths[at(row + 1, column)] >= lengths[at(row, column + 1)])) {
      note(1, 0);
    } else {
      note(0, 1);
    }
  }
  if (open) found.push(open);
  return found;
}

/**
 * Returns the parts of the local text that others changed: `{from, to}` in the local text becomes `{start, end}` in the
 * merged text. All parameters are lists of blocks as texts. Undefined if both sides changed the same block since the
 * text was sent.
 */
export function changesOfOthers(sent, merged, here) {
  const own = differences(sent, here);
  const others = differences(sent, merged);
  const meets = (change, mine) => {
    const isInsertion = change.from === change.to || mine.from === mine.to;
    // An insertion at the edge of a changed block does not change the block.
    return isInsertion ? change.from < mine.to && mine.from < change.to : Math.max(change.from, mine.from) < Math.min(change.to, mine.to);
  };
  if (others.some((change) => own.some((mine) => meets(change, mine)))) return undefined;
  return others.map(({ from, to, start, end }) => {
    const before = own.filter((mine) => mine.to <= from);
    const shift = before.reduce((sum, mine) => sum + (mine.end - mine.start) - (mine.to - mine.from), 0);
    return { from: from + shift, to: to + shift, start, end };
  });
}
