-- Listings of which no two have the same address, so that each of them is rendered.
local number = 2000
request = function()
  number = number + 1
  return wrk.format("GET", "/products?max=" .. number)
end
