// Generated from the example in host/catalogue/service/wire/product.rs; never edited.

import type { ProductDetail } from "../contract.gen";

export const EXAMPLE_PRODUCT: ProductDetail = {
  "id": "1",
  "title": "Tall Oak Lamp",
  "description": "A lamp of solid oak with a linen shade.",
  "category": {
    "slug": "home-decoration",
    "name": "Home Decoration"
  },
  "brand": "Halm",
  "sku": "HOM-HAL-001",
  "tags": [
    {
      "name": "oak",
      "href": "/products?tag=oak"
    },
    {
      "name": "50% wool",
      "href": "/products?tag=50%25%20wool"
    }
  ],
  "price": {
    "current": "$40.00",
    "original": "$49.99",
    "percentOff": 20
  },
  "rating": {
    "value": 4.4,
    "text": "4.4"
  },
  "availability": [
    {
      "text": "In Stock"
    }
  ],
  "minimumOrderQuantity": 1,
  "minimumOrderTotal": "$40.00",
  "facts": [
    {
      "name": "Shipping",
      "text": "Ships in 1 week",
      "icon": "truck"
    },
    {
      "name": "Returns",
      "text": "30 days return policy",
      "icon": "package-open"
    },
    {
      "name": "Warranty",
      "text": "2 year warranty",
      "icon": "shield-check"
    },
    {
      "name": "Dimensions",
      "text": "24 × 60 × 24 cm",
      "icon": "ruler"
    },
    {
      "name": "Weight",
      "text": "3 kg",
      "icon": "weight"
    }
  ],
  "images": [
    "/art/lamp.svg",
    "/art/lamp-2.svg",
    "/art/lamp-3.svg"
  ],
  "thumbnail": "/art/lamp.svg",
  "tint": 3,
  "reviews": [
    {
      "reviewerName": "Ada",
      "rating": 3,
      "ratingText": "3.0",
      "date": "2025-03-01T10:00:00.000Z",
      "dateText": "March 1, 2025",
      "comment": "Fine."
    },
    {
      "reviewerName": "Bo",
      "rating": 5,
      "ratingText": "5.0",
      "date": "2024-12-24T10:00:00.000Z",
      "dateText": "December 24, 2024",
      "comment": "Lovely."
    }
  ],
  "options": [
    {
      "name": "Shade",
      "values": [
        {
          "name": "Linen",
          "variant": "1-c6e3e3020ddde7a3"
        },
        {
          "name": "Paper",
          "variant": "1-7286a2c79c9fa289"
        }
      ]
    }
  ]
};
