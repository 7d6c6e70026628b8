package dev.touchstone.serialization.samples;

import dev.touchstone.serialization.annotation.Compact;
import dev.touchstone.serialization.annotation.CompactField;
import dev.touchstone.serialization.annotation.Encoding;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order, with fields of most sorts; {@code currency} came later than the first orders. */
@Compact(
        value = "order",
        encode = {Encoding.COLLECTIONS, Encoding.INSTANT_AS_TIMESTAMP, Encoding.UUID_AS_STRING})
record Order(
        UUID id,
        Instant at,
        List<Line> lines,
        Payment payment,
        State state,
        @Nullable String remark,
        @CompactField(missing = "CHF") String currency) {
    /** Some pieces of one article. */
    @Compact("line")
    record Line(String article, int pieces, BigDecimal price) {}

    /** How far it has come; a string in the record of the order. */
    @Compact("state")
    enum State {
        OPEN,
        SHIPPED
    }
}
