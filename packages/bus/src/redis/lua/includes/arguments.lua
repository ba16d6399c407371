-- Arguments by name, from ARGV[first] on: name, value, name, value … What is absent is nil. A name `+list` begins an item of a list, whose first
-- element is the value; the names after it are the item's own. The other side is named-arguments.ts.
local function read_arguments(first)
  local arguments = {}
  local into = arguments
  for i = first, #ARGV, 2 do
    local name, value = ARGV[i], ARGV[i + 1]
    if string.byte(name) == 43 then
      name = string.sub(name, 2)
      into = { value }
      if not arguments[name] then arguments[name] = {} end
      table.insert(arguments[name], into)
    else
      into[name] = value
    end
  end
  return arguments
end
