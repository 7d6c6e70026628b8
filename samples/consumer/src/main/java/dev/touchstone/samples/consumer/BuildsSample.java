package dev.touchstone.samples.consumer;

import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Describes a build, and is told that no master listens where it would be sent. */
final class BuildsSample implements Sample {
    @Override
    public void run(Path folder) throws Exception {
        BuildRequest request =
                BuildRequest.of("git+file:///repository", "main", "build").label("linux").build();
        Sample.check("linux", request.label());
        Duration tick = Duration.ofSeconds(15);
        Duration patience = Duration.ofMillis(100);
        ConnectOptions options = new ConnectOptions(
                "builds://127.0.0.1:1", Token.of("secret"), Optional.empty(), tick, patience, patience);
        try (BuildClient client = BuildClientFactory.connect(options)) {
            throw new IllegalStateException("connected to " + client);
        } catch (BuildException expected) {
            Sample.check(true, expected.getMessage() != null);
        }
    }
}
