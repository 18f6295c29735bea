-- Listings of which no two have the same address, so that each of them is rendered. A price above all products' is none:
-- it would be a redirect.
local number = 0
request = function()
  number = number + 1
  return wrk.format("GET", string.format("/products?max=%d&rating=%d", 2000 + number % 30000, 1 + math.floor(number / 30000) % 4))
end
