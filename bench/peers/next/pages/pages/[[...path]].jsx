import Head from "next/head";
import { Shop } from "../../dist/shop.js";
import { pageOf } from "../../documents";

export function getServerSideProps({ resolvedUrl }) {
  const page = pageOf(resolvedUrl.replace(/^\/pages\/?/, "/"));
  return page === undefined ? { notFound: true } : { props: { page } };
}

export default function ShopPage({ page }) {
  return (
    <>
      <Head>
        <title>{page.title}</title>
      </Head>
      <Shop page={page} />
    </>
  );
}
