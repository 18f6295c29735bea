/** The bundler makes this style sheet a text (`scripts/style-text.mjs`). */
declare module "*/autocomplete.css" {
  const styles: string;
  export default styles;
}
