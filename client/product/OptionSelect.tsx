import type { ProductOption } from "../contract.gen";
import { productHref, variantHref } from "../navigation/addresses";
import { useNavigate } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { SelectField } from "../ui/SelectField";

interface OptionSelectProps {
  /** The product's. */
  id: string;
  option: ProductOption;
}

/** The values of an option that has many. Without JavaScript the button leads to the variant with the chosen one. */
export function OptionSelect({ id, option: { name, values } }: OptionSelectProps) {
  const navigate = useNavigate();
  const choices = values.map((value) => ({
    value: value.variant ?? "",
    name: value.note === undefined ? value.name : `${value.name}, ${value.note.text}`,
  }));
  return (
    <form className="ProductOptions-form" action={productHref(id)} method="get">
      <SelectField
        label={name}
        id={`option-${name}`}
        name="variant"
        value={values.find(({ isChosen }) => isChosen === true)?.variant ?? ""}
        options={[{ value: "", name: text(Key.choose) }, ...choices]}
        onChoose={(variant) => {
          void navigate(variant === "" ? productHref(id) : variantHref(id, variant), { preventScrollReset: true });
        }}
      />
      <button className="button button--quiet ProductOptions-choose" type="submit">
        {text(Key.choose)}
      </button>
    </form>
  );
}
