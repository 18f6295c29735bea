const COLOURS = ["Red", "Blue", "Green", "Sand"];

/** Shoes of fourteen sizes in four colours; every third variant is sold out, and every fifth product has none. */
export function optionProducts(pictures: string): object[] {
  return Array.from({ length: 60 }, (_, index) => {
    const id = index + 1;
    const variants = Array.from({ length: id % 5 === 0 ? 0 : 4 }, (_, place) => ({
      options: [
        { name: "Size", value: String(36 + ((id * 5 + place * 3) % 14)) },
        { name: "Colour", value: COLOURS[(Math.floor(id / 3) + place) % COLOURS.length] },
      ],
      price: 40 + id,
      stock: (id + place) % 3 === 0 ? 0 : 5,
    }));
    return {
      id,
      title: `Shoe ${id}`,
      description: "A shoe that is light and warm.",
      category: "shoes",
      brand: "Halm",
      price: 40 + id,
      rating: 4,
      stock: 10,
      thumbnail: `${pictures}/shoe.svg`,
      images: [`${pictures}/shoe.svg`],
      variants,
    };
  });
}
