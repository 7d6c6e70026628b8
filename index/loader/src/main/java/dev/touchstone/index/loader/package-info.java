/**
 * Loaders of prices from CSV, JSON Lines and databases.
 *
 * <p>{@link dev.touchstone.index.loader.PriceLoader} is the entry point. A {@link dev.touchstone.index.loader.PriceSchema} defines the columns:
 * {@code id}, the key ({@code offering}), {@code value}, {@code currency}, {@code default}, {@code payload}, and one for each field of the
 * index. An empty cell or a missing column means that there is no value. The first row that is not a price ends
 * the load unless {@link dev.touchstone.index.loader.LoadOptions#maxErrors} allows more; such rows are skipped, and the
 * {@link dev.touchstone.index.loader.LoadReport} tells their lines and the reasons.
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
