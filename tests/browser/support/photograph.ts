import { deflateSync } from "node:zlib";

const WIDTH = 1500;
const HEIGHT = 1000;

/** A PNG that becomes much smaller as a copy, as a photograph does: two colours that pass into each other, with grain. */
export function photograph(): Buffer {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  let at = 0;
  for (let y = 0; y < HEIGHT; y += 1) {
    // How the row is filtered: not at all.
    rows[at++] = 0;
    for (let x = 0; x < WIDTH; x += 1) {
      const grain = Math.imul(x * HEIGHT + y, 2_654_435_761) >>> 28;
      rows[at++] = 40 + Math.floor((x * 150) / WIDTH) + grain;
      rows[at++] = 90 + grain;
      rows[at++] = 40 + Math.floor((y * 150) / HEIGHT) + grain;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, part("IHDR", header), part("IDAT", deflateSync(rows, { level: 1 })), part("IEND", Buffer.alloc(0))]);
}

/** A part of a PNG: its length, its name, its content, and the checksum of both. */
function part(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(content.length, 0);
  numbers.writeUInt32BE(checksum(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}

function checksum(bytes: Buffer): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0);
  }
  return ~sum >>> 0;
}
