package dev.touchstone.builds.hook;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Token;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A build that a forge starts by telling of a push. Immutable.
 *
 * @param name last part of the path that the forge calls
 * @param owner name of the token whose jobs the hook's are
 * @param secret what the forge signs with, or shows
 * @param repository URL that agents clone, whatever the forge says
 * @param script path of the script in the repository
 * @param runner interpreter of the script
 * @param label label that the agent must have
 * @param environment variables for the script
 * @param branches patterns of branches, in which {@code *} stands for any characters; empty for all branches
 * @param status where the state of builds is told; empty if nowhere
 */
public record Hook(
        String name,
        Forge forge,
        String owner,
        Token secret,
        String repository,
        String script,
        String runner,
        String label,
        Map<String, String> environment,
        List<String> branches,
        Optional<Target> status) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * The REST API that is told the state of builds. Immutable.
     *
     * @param api address of the API; https, or http on this machine
     * @param token what the API is shown
     * @param link address of the master's page as people reach it; null for no link
     */
    public record Target(URI api, Token token, @Nullable URI link) {
        /**
         * Checks the address.
         *
         * @throws IllegalArgumentException if the token would be sent in clear over a network
         */
        public Target {
            String host = String.valueOf(api.getHost());
            boolean isLocal = host.equals("127.0.0.1") || host.equals("localhost") || host.equals("[::1]");
            if (!"https".equals(api.getScheme()) && !("http".equals(api.getScheme()) && isLocal)) {
                throw new IllegalArgumentException("api is not https, and not on this machine: host=" + host);
            }
        }
    }

    /**
     * Copies the collections and checks the parts.
     *
     * @throws IllegalArgumentException if a part has not the form it must have
     */
    public Hook {
        branches = List.copyOf(branches);
        environment = Map.copyOf(environment);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
        }
        if (!NAME.matcher(owner).matches()) {
            throw new IllegalArgumentException("owner is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
        }
        BuildRequest unused = BuildRequest.of(repository, "branch", script)
                .runner(runner)
                .label(label)
                .environment(environment)
                .build();
    }

    boolean takes(String branch) {
        return branches.isEmpty() || branches.stream().anyMatch(pattern -> matches(pattern, branch));
    }

    /** Returns whether a branch matches a pattern, in a time that does not depend on the number of stars: whoever may push chooses the name. */
    private static boolean matches(String pattern, String branch) {
        String[] parts = pattern.split("\\*", -1);
        String first = parts[0];
        String last = parts[parts.length - 1];
        if (parts.length == 1) {
            return branch.equals(first);
        }
        int at = first.length();
        int end = branch.length() - last.length();
        boolean matches = at <= end && branch.startsWith(first) && branch.endsWith(last);
        for (int i = 1; matches && i < parts.length - 1; i++) {
            int found = branch.indexOf(parts[i], at);
            at = found + parts[i].length();
            matches = found >= 0 && at <= end;
        }
        return matches;
    }

    BuildRequest request(Push push) {
        return BuildRequest.of(repository, push.branch(), script)
                .commit(push.commit())
                .runner(runner)
                .label(label)
                .environment(environment)
                .build();
    }

    /** Returns the name and the forge: secrets stay out of messages. */
    @Override
    public String toString() {
        return "hook=" + name + " forge=" + forge;
    }
}
