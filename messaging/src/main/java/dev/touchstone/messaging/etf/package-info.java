/**
 * Erlang's external term format: reads terms from bytes and writes them, without recursion and without trust. Whatever the bytes are,
 * reading ends in a term or in an {@link dev.touchstone.messaging.etf.EtfException}, in time and memory that grow with their number.
 */
@NullMarked
package dev.touchstone.messaging.etf;

import org.jspecify.annotations.NullMarked;
