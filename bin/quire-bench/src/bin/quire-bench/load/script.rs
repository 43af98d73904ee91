//! Lua programs for wrk.

use std::path::Path;

/// Requests with these paths in turn. The threads of wrk start at equal distances, so that they do not read the same
/// page at once.
pub(crate) fn gets(paths: &Path, threads: u32) -> String {
    format!(
        r#"{SHARED}
local requests, position = {{}}, 0
function init(args)
  for path in io.lines("{paths}") do requests[#requests + 1] = wrk.format("GET", path) end
  position = math.floor(#requests * number / {threads})
end
function request()
  position = position % #requests + 1
  return requests[position]
end
{DONE}"#,
        paths = paths.display()
    )
}

/// Posts of the targets' paths in turn. A line of `targets` is a path, a tab, and the JSON before the text; a line of
/// `texts` is the inside of a JSON string; `tail` is the JSON after it. Each body starts with a number, so that no two
/// are equal.
pub(crate) fn posts(targets: &Path, texts: &Path, tail: &str, threads: u32, round: u64) -> String {
    format!(
        r#"{SHARED}
local targets, texts, position = {{}}, {{}}, 0
local headers = {{}}
function init(args)
  for line in io.lines("{targets}") do
    local path, head = line:match("^(%S+)\t(.*)$")
    targets[#targets + 1] = {{path, head}}
  end
  for line in io.lines("{texts}") do texts[#texts + 1] = line end
  for name, value in pairs(wrk.headers) do headers[name] = value end
  headers["Content-Type"] = "application/json"
end
function request()
  position = position + 1
  local target = targets[(position * {threads} + number) % #targets + 1]
  local mark = "Round {round}, thread " .. number .. ", request " .. position .. ".\\n\\n"
  local body = target[2] .. mark .. texts[position % #texts + 1] .. [==[{tail}]==]
  return wrk.format("POST", target[1], headers, body)
end
function response(status, headers, body)
  if status >= 200 and status < 300 then done_requests = done_requests + 1
  elseif status == 409 or status == 412 then refused = refused + 1
  else
    failed = failed + 1
    if sample == "" then sample = status .. " " .. string.sub(body or "", 1, 300):gsub("%s", " ") end
  end
end
{DONE}"#,
        targets = targets.display(),
        texts = texts.display()
    )
}

/// Counters of a thread. They are global, so that `done` can read them.
const SHARED: &str = r#"local threads = {}
done_requests, refused, failed, sample = 0, 0, 0, ""
function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end"#;

/// Prints what [`super::result::parse`] reads.
const DONE: &str = r#"function done(summary, latency, _)
  local counts, example = {0, 0, 0}, ""
  for _, thread in ipairs(threads) do
    for at, name in ipairs({"done_requests", "refused", "failed"}) do counts[at] = counts[at] + thread:get(name) end
    if example == "" then example = thread:get("sample") end
  end
  local errors = summary.errors
  io.write(string.format(
    "quire-bench requests=%d seconds=%.6f p50_ms=%.4f p99_ms=%.4f over_399=%d timeouts=%d broken=%d done=%d refused=%d failed=%d\n",
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.timeout, errors.connect + errors.read + errors.write, counts[1], counts[2], counts[3]))
  if example ~= "" then io.write("quire-bench-sample " .. example .. "\n") end
end
"#;
