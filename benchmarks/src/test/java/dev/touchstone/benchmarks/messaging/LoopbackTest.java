package dev.touchstone.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LoopbackTest {

    @Test
    void bytes_linesOfTheKernel_firstFigureOfLoopback() {
        assertThat(Loopback.bytes(List.of(
                        "Inter-|   Receive                            |  Transmit",
                        " face |bytes    packets errs drop            |bytes",
                        "  eth0: 269765060   12025    0    0    0     0          0         0  1507439",
                        "    lo: 41056529   24486    0    0    0     0          0         0 41056529")))
                .hasValue(41_056_529);
    }

    @Test
    void bytes_noLoopback_empty() {
        assertThat(Loopback.bytes(List.of("  eth0: 1 2"))).isEqualTo(OptionalLong.empty());
    }
}
