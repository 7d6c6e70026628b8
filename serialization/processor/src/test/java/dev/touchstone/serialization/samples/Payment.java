package dev.touchstone.serialization.samples;

import dev.touchstone.serialization.annotation.Compact;

/** How an order is paid: a record of one type or another. */
@Compact
sealed interface Payment {
    /** By card. */
    @Compact("card")
    record Card(String number, short validUntil) implements Payment {}

    /** By invoice. */
    @Compact("invoice")
    record Invoice(int days) implements Payment {}
}
