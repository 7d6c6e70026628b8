package dev.touchstone.benchmarks;

import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A check that is passed over where the machine lacks what the subject requires; its result says so.
 *
 * @param subject subject of the check
 * @param check runs where nothing is missing
 */
public record RequiredCheck(DeclaredSubject subject, SemanticCheck check) implements SemanticCheck {
    @Override
    public String observes() {
        return check.observes();
    }

    @Override
    public boolean needsForceTrace() {
        return check.needsForceTrace();
    }

    @Override
    public Optional<String> unobserved() {
        return subject.missing().map(what -> "everything: " + what).or(check::unobserved);
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        if (subject.missing().isEmpty()) {
            check.run(dataFolder);
        }
    }
}
