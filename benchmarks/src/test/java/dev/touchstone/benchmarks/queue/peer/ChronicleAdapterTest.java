package dev.touchstone.benchmarks.queue.peer;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import net.openhft.posix.PosixAPI;
import net.openhft.posix.internal.noop.NoOpPosixAPI;
import org.junit.jupiter.api.Test;

/** Chronicle's durable subject is refused where its sync does nothing, as without its native libraries. */
final class ChronicleAdapterTest {

    @Test
    void demandSync_libraryOfThisClassPath_taken() {
        assertThatCode(() -> ChronicleAdapter.demandSync(PosixAPI.posix())).doesNotThrowAnyException();
    }

    @Test
    void demandSync_libraryThatDoesNothing_refused() {
        PosixAPI nothing = new NoOpPosixAPI("no native library");
        assertThatIllegalStateException()
                .isThrownBy(() -> ChronicleAdapter.demandSync(nothing))
                .withMessageContaining("sync does nothing")
                .withMessageContaining("NoOpPosixAPI");
    }
}
