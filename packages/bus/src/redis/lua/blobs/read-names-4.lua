-- Which strings of a session stand elsewhere, a page at a time: the heads of its split texts, see blobs/split-text.
-- KEYS 1 meta  2 history  3 log  4 calls
-- ARGV 1 item of the history from which on, -1: none  2 entry of the log from which on, '': none  3 items and entries of a page
-- Returns {next item or -1, next entry or '', heads}
if redis.call('HGET', KEYS[1], 'splits') ~= '1' then return { -1, '', {} } end
local item, entry, page = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local heads, next_item, next_entry = {}, -1, ''
local function note(text)
  local head = string.match(text, '^(@%S+) ')
  if head then heads[#heads + 1] = head end
end
if item >= 0 then
  local items = redis.call('LRANGE', KEYS[2], item, item + page - 1)
  for _, text in ipairs(items) do note(text) end
  if #items == page then next_item = item + page end
end
if entry ~= '' then
  local entries = redis.call('XRANGE', KEYS[3], entry, '+', 'COUNT', page)
  for _, each in ipairs(entries) do note(each[2][2]) end
  if #entries == page then next_entry = '(' .. entries[#entries][1] end
end
if item == 0 then
  for _, value in ipairs(redis.call('HVALS', KEYS[4])) do note(value) end
end
return { next_item, next_entry, heads }
