/**
 * Loaders of prices from CSV, JSON Lines and databases.
 *
 * <p>{@link dev.touchstone.index.loader.PriceLoader} is the entry point. A {@link dev.touchstone.index.loader.PriceSchema} defines the columns:
 * {@code id}, the key ({@code offering}), {@code value}, {@code currency}, {@code default}, {@code payload}, and one for each field of the
 * index. An empty cell or a missing column means that there is no value. A row that is not a price is skipped, and the
 * {@link dev.touchstone.index.loader.LoadReport} tells its line and the reason.
 *
 * {@snippet :
 * PriceSchema schema = PriceSchema.builder().string("group").integer("term").decimal("amount", 2).dateTime("from").build();
 * try (PriceLoad load = PriceLoader.csv(Path.of("prices.csv"), schema, LoadOptions.DEFAULT)) {
 *     PriceIndex index = schema.declare(PriceIndex.builder()).build(load);
 *     LoadReport report = load.report();
 * }
 * }
 *
 * <p>{@code docs/dev/index.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.index.loader;

import org.jspecify.annotations.NullMarked;
