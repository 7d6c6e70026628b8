package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.isolation.IsolationMode;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import java.io.IOException;
import java.util.List;

/** The same as {@link CancelTest} in the sandbox. */
class SandboxedCancelTest extends CancelTest {
    @Override
    IsolationOptions isolation() throws IOException {
        Sandboxes.assume();
        return new IsolationOptions(IsolationMode.SANDBOX, true, List.of(), List.of(shared()), List.of());
    }
}
