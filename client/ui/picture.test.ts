import { describe, expect, it } from "vitest";
import { pictureAt } from "./picture";

const OWN = "/images/oak-lamp-0123.jpg";
const copies = (shown: string) => pictureAt(OWN + shown)[1].srcSet;

describe("a picture", () => {
  it("has copies up to its own width, and says its own size", () => {
    const [frame, picture] = pictureAt(`${OWN}#600x400f`, "16rem");
    expect(frame).toBe("ProductImage--f ");
    expect(picture).toEqual({
      src: `${OWN}#600x400f`,
      srcSet: [160, 320, 480].map((width) => `/images/oak-lamp-0123-${width}.webp ${width}w`).join() + ",/images/oak-lamp-0123-800.webp 600w",
      sizes: "16rem",
      width: "600",
      height: "400",
    });
    expect(copies("#160x10f")).toBe("/images/oak-lamp-0123-160.webp 160w");
    expect(copies("#20x10f")).toBe("/images/oak-lamp-0123-160.webp 20w");
    expect(copies("#1500x10f")).toMatch(/800w,.*-1600\.webp 1500w$/);
    expect(copies("#9000x10f")).toMatch(/-1600\.webp 1600w$/);
  });

  it("of another host has copies here, and all widths until its own is known", () => {
    const other = "https://pictures.example/a.jpg?b=1#/pictures/lamp-7/2-0123456789abcdef-";
    const widths = [160, 320, 480, 800, 1600].map((width) => `/pictures/lamp-7/2-0123456789abcdef-${width}.webp ${width}w`);
    expect(pictureAt(other, "16rem")).toEqual(["", { src: other, srcSet: widths.join(), sizes: "16rem", width: 400, height: 400 }]);
    const [frame, { srcSet, width, height }] = pictureAt(`${other},300x200w`);
    expect([frame, width, height]).toEqual(["ProductImage--w ", "300", "200"]);
    expect(srcSet).toBe("/pictures/lamp-7/2-0123456789abcdef-160.webp 160w,/pictures/lamp-7/2-0123456789abcdef-320.webp 300w");
    // A key may look like a size.
    expect(pictureAt("https://pictures.example/a.jpg#/pictures/6x4f/0-0123456789abcdef-")[1].srcSet).toMatch(/1600w$/);
  });

  it("of a host that makes copies is asked for with its width", () => {
    const shop = "https://cdn.shopify.com/s/a.jpg";
    expect(pictureAt(`${shop}#?width=`)[1].srcSet).toMatch(/^https:\/\/cdn\.shopify\.com\/s\/a\.jpg\?width=160 160w,.*\?width=1600 1600w$/);
    expect(pictureAt(`${shop}?v=1#&width=`)[1].srcSet).toMatch(/a\.jpg\?v=1&width=160 160w,/);
  });

  it("fits as its address says", () => {
    const frames = ["#6x4f", "#6x4c", "#6x4w", ""].map((shown) => pictureAt(OWN + shown)[0]);
    expect(frames).toEqual(["ProductImage--f ", "ProductImage--c ", "ProductImage--w ", ""]);
  });

  it("is taken as it is where there are no copies", () => {
    for (const address of [OWN, "/sample-images/1.svg", "https://other.example/images/a.jpg#600x400", ""]) {
      expect(pictureAt(address)[1], address).not.toHaveProperty("srcSet");
    }
    expect(pictureAt("/sample-images/1.svg")).toEqual(["", { src: "/sample-images/1.svg", width: 400, height: 400 }]);
  });
});
