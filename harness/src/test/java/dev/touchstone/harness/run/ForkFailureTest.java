package dev.touchstone.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

class ForkFailureTest {
    @Test
    void describe_rootWithMessage_isTold() {
        assertThat(ForkFailure.describe(new RuntimeException("outer", new IOException("disk  is\nfull"))))
                .isEqualTo("IOException: disk is full");
    }

    /** A bare TimeoutException says nothing; what was waited for stands in what wraps it. */
    @Test
    void describe_rootWithoutMessage_isToldByWhatWrapsIt() {
        IOException named = new IOException("master is not reached: timeout=5s", new TimeoutException());
        assertThat(ForkFailure.describe(new IOException(new ExecutionException(named))))
                .isEqualTo("TimeoutException: master is not reached: timeout=5s");
    }

    @Test
    void describe_noMessageButThatOfJmh_isTheNameOfTheRoot() {
        Throwable wrapped = new RuntimeException(new NullPointerException());
        assertThat(ForkFailure.describe(new RunnerException("Benchmark error", wrapped)))
                .isEqualTo("NullPointerException");
    }
}
