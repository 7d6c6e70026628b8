/** The search engine: the blocks of prices of one version, the queries that search them, and the drafts that make the next version. */
@NullMarked
package dev.touchstone.index.engine;

import org.jspecify.annotations.NullMarked;
