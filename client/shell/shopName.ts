export const SHOP_NAME = "Vitrine";
