package dev.touchstone.serialization.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactSerialization;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is generated, in use. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SamplesTest {
    private static final Order ORDER = new Order(
            new UUID(1, 2),
            Instant.parse("2026-11-21T10:15:30Z"),
            List.of(new Order.Line("pen", 3, new BigDecimal("1.20"))),
            new Payment.Invoice(30),
            Order.State.OPEN,
            null,
            "EUR");

    private static CompactSerialization serialization() {
        CompactSerialization.Builder builder = CompactSerialization.builder()
                .codec(OrderCodec.INSTANCE)
                .codec(Order_LineCodec.INSTANCE)
                .codec(CounterCodec.INSTANCE);
        PaymentCodec.CODECS.forEach(builder::codec);
        return builder.build();
    }

    @Test
    void record_toBytesAndBack() {
        CompactSerialization serialization = serialization();
        byte[] bytes = serialization.encode(ORDER);
        assertThat(serialization.decode(bytes)).isEqualTo(ORDER);
    }

    @Test
    void view_readsSingleFields() {
        CompactSerialization serialization = serialization();
        OrderView view = new OrderView(serialization).wrap(serialization.encode(ORDER));
        assertThat(view.currency()).isEqualTo("EUR");
        assertThat(view.currencyEquals("EUR")).isTrue();
        assertThat(view.payment()).isEqualTo(new Payment.Invoice(30));
        assertThat(view.state()).isEqualTo(Order.State.OPEN);
    }

    @Test
    void class_toBytesAndBack() {
        Counter counter = new Counter();
        counter.setCount(7);
        counter.name = "visits";
        CompactSerialization serialization = serialization();
        byte[] bytes = serialization.encode(counter);
        assertThat(serialization.decode(bytes, CounterCodec.INSTANCE))
                .usingRecursiveComparison()
                .isEqualTo(counter);
    }
}
