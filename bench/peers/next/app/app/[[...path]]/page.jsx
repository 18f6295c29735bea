import { notFound } from "next/navigation";
import { Shop } from "../../../dist/shop.js";
import { pageOf } from "../../../documents";

export const dynamic = "force-dynamic";

const request = async ({ params, searchParams }) => {
  const { path = [] } = await params;
  const query = new URLSearchParams(await searchParams).toString();
  return `/${path.join("/")}${query === "" ? "" : `?${query}`}`;
};

export default async function ShopPage(props) {
  const page = pageOf(await request(props));
  if (page === undefined) notFound();
  return (
    <>
      <title>{page.title}</title>
      <Shop page={page} />
    </>
  );
}
