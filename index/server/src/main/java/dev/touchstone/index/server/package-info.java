/**
 * Command line of the search service.
 *
 * <p>{@code java -jar index-server.jar} serves generated prices; {@code --prices} names a file of CSV or JSON Lines, and {@code --index} a file that
 * {@link dev.touchstone.index.price.PriceIndex#write} made; {@code --help} lists all options. {@code GET /openapi.json} describes the routes, and {@code GET /} is
 * a page to try them.
 *
 * <p>{@code docs/dev/index.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.index.server;

import org.jspecify.annotations.NullMarked;
