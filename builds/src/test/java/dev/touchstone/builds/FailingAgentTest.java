package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LocalAgent;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent in which an Error comes out of anything that its link calls, for some calls: builds end, and later ones are as if nothing had been. */
@Timeout(180)
class FailingAgentTest {
    private static final int FAILURES = 3;

    @TempDir
    Path folder;

    private static LocalAgent failing(LocalAgent agent, String method, AtomicInteger left) {
        return (LocalAgent) Proxy.newProxyInstance(
                LocalAgent.class.getClassLoader(), new Class<?>[] {LocalAgent.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && left.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread: the test says so");
                    }
                    try {
                        return called.invoke(agent, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"runners", "labels", "executors", "moment", "start", "readLog", "readBundle", "forget"})
    void agent_thatFailsInAnyCall_endsBuildsAndBuildsAgain(String method) throws Exception {
        AtomicInteger left = new AtomicInteger(FAILURES);
        byte[] bundle = Bundles.of(Map.of("a", new byte[] {1, 2, 3}));
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            FakeAgent agent = site.with(new FakeAgent(run -> {
                run.print("all of it");
                run.handOn(bundle);
                return 0;
            }));
            var unused = site.agent("a", failing(agent, method, left));
            for (int i = 0; i <= FAILURES; i++) {
                Build build = client.submit(BuildRequest.of("git+file:///r", "b" + i, "s")
                        .files(BuildFiles.NONE.withArtefact("**"))
                        .build());
                BuildResult result = Logs.end(build.result());
                if (!method.equals("start") || i == FAILURES) {
                    assertThat(result.isSuccess()).as(result.toString()).isTrue();
                    ByteArrayOutputStream log = new ByteArrayOutputStream();
                    Logs.end(build.follow(0, (offset, bytes) -> {
                        while (bytes.hasRemaining()) {
                            log.write(bytes.get());
                        }
                        return true;
                    }));
                    assertThat(log).hasToString("all of it");
                    assertThat(result.artefacts()).isEqualTo(1);
                }
            }
            assertThat(left.get()).as("calls that failed").isLessThanOrEqualTo(0);
        }
    }
}
