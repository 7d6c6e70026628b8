package dev.touchstone.builds.agent.process;

import dev.touchstone.builds.agent.Sandboxes;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import java.io.IOException;
import java.nio.file.Path;

/** The contract of {@link ProcessTreeTest} in the sandbox. */
class SandboxedProcessTreeTest extends ProcessTreeTest {
    @Override
    IsolationOptions options() throws IOException {
        Sandboxes.assume();
        return IsolationOptions.sandbox();
    }

    /** The kernel ends them before they can be counted. */
    @Override
    int swept(int processes) {
        return 0;
    }

    @Override
    boolean isOwn(Path mount) {
        return mount.equals(tmp);
    }
}
