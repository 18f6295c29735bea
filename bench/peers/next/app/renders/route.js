import { NextResponse } from "next/server";
import { renders } from "../../documents";

export const dynamic = "force-dynamic";

export function GET() {
  return new NextResponse(String(renders()));
}
