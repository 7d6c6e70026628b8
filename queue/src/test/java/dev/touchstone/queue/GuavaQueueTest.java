package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.Stream;
import junit.framework.TestCase;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guava's contract tests of {@link Queue}, {@code toString} included, for each durability and its blocking view. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuavaQueueTest {
    /** Minimum number of tests in a suite; fewer means that features are missing. */
    private static final int MIN_TESTS = 200;

    @TempDir
    Path folder;

    private final List<DiskQueue<String>> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(DiskQueue::close);
    }

    @TestFactory
    Stream<DynamicNode> queue_askedByGuava_isAQueue() {
        return Arrays.stream(Durability.values()).map(level -> suite("queue " + level, level, queue -> queue));
    }

    @TestFactory
    Stream<DynamicNode> blocking_askedByGuava_isAQueue() {
        return Arrays.stream(Durability.values())
                .map(level -> suite("blocking view " + level, level, DiskQueue::blocking));
    }

    private DynamicNode suite(String name, Durability durability, Function<DiskQueue<String>, Queue<String>> view) {
        DiskQueue<String> queue = DiskQueueBuilder.of(durability)
                .folder(folder.resolve(name))
                .segmentBytes(64 << 10)
                .batch(64, 16 << 10, Duration.ofMillis(10))
                .codec(Codec.utf8())
                .open();
        open.add(queue);
        TestSuite suite = QueueTestSuiteBuilder.using(new Generator(queue, view))
                .named(name)
                .withFeatures(CollectionSize.ANY, CollectionFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER)
                .createTestSuite();
        assertThat(suite.countTestCases()).as(name).isGreaterThan(MIN_TESTS);
        return adapted(suite);
    }

    /** Converts a JUnit 3 test tree to dynamic nodes. */
    @SuppressWarnings("JdkObsolete") // Guava builds suites of JUnit 3
    private static DynamicNode adapted(junit.framework.Test test) {
        if (test instanceof TestSuite suite) {
            return DynamicContainer.dynamicContainer(
                    suite.getName(), Collections.list(suite.tests()).stream().map(GuavaQueueTest::adapted));
        }
        TestCase one = (TestCase) test;
        return DynamicTest.dynamicTest(one.getName(), one::runBare);
    }

    /** Gives each test the same queue, emptied of what the test before left: a queue must not show what it has been through. */
    private static final class Generator extends TestStringQueueGenerator {
        private final DiskQueue<String> queue;
        private final Queue<String> asked;

        Generator(DiskQueue<String> queue, Function<DiskQueue<String>, Queue<String>> view) {
            this.queue = queue;
            this.asked = view.apply(queue);
        }

        @Override
        protected Queue<String> create(String[] elements) {
            queue.clear();
            Collections.addAll(queue, elements);
            return asked;
        }
    }
}
