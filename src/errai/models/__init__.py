"""Games on joint buckets: rounds of betting over what both players' hands are alike to, and chance between them."""
