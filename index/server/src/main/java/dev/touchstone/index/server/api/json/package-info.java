/** The JSON of requests: a lexer over bytes, and the readers of queries and prices that stand on it. Knows no route. */
@NullMarked
package dev.touchstone.index.server.api.json;

import org.jspecify.annotations.NullMarked;
