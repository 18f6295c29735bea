import { BrandGroup } from "../components/BrandGroup";
import { FailureNotice } from "../components/FailureNotice";
import { PageHeading } from "../components/PageHeading";
import type { Brand, Brands } from "../contract.gen";
import "./BrandsPage.css";

export function BrandsPage({ content }: { content: Brands }) {
  return (
    <div className="BrandsPage container">
      <PageHeading title="Brands" text="The makers behind the shelves, from A to Z." />
      {content.failed ? (
        <FailureNotice what="brands" heading="h2" />
      ) : (
        <div className="BrandsPage-groups">
          {[...byInitial(content.brands)].map(([initial, brands]) => (
            <BrandGroup key={initial} initial={initial} brands={brands} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Brands under their first letter; all that do not start with one stand together. */
function byInitial(brands: readonly Brand[]): Map<string, Brand[]> {
  const groups = new Map<string, Brand[]>();
  for (const brand of brands) {
    const initial = /^\p{Letter}/u.exec(brand.name)?.[0].toUpperCase() ?? "#";
    const group = groups.get(initial);
    if (group === undefined) groups.set(initial, [brand]);
    else group.push(brand);
  }
  return groups;
}
