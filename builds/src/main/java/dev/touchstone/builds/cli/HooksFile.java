package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.hook.Forge;
import dev.touchstone.builds.hook.Hook;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code master --hooks}: YAML with a list {@code hooks}. Keys that are not known are refused, since one that is misspelt would make a hook that
 * builds something else. Values of secrets are in no message.
 */
final class HooksFile {
    private static final Set<String> ROOT = Set.of("hooks");
    private static final Set<String> HOOK = Set.of(
            "name",
            "forge",
            "owner",
            "secret",
            "secret-file",
            "repository",
            "script",
            "runner",
            "label",
            "env",
            "branches",
            "status");
    private static final Set<String> STATUS = Set.of("api", "token-file", "link");

    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path file;
    private String place = "";

    private HooksFile(Path file) {
        this.file = file;
    }

    /**
     * Reads the hooks of a file.
     *
     * @throws UsageException if the file cannot be read or is wrong; the message names the file, the place and what was expected
     */
    static List<Hook> read(Path file) {
        return new HooksFile(file).hooks();
    }

    private List<Hook> hooks() {
        Map<?, ?> root = map(ConfigFile.yaml(file), ROOT);
        Object list = root.get("hooks");
        if (!(list instanceof List<?> all)) {
            throw wrong("hooks", "expected a list");
        }
        List<Hook> hooks = new ArrayList<>();
        for (Object one : all) {
            place = "hooks[" + hooks.size() + "]";
            hooks.add(hook(map(one, HOOK)));
        }
        return hooks;
    }

    private Hook hook(Map<?, ?> keys) {
        String name = text(keys, "name");
        String forge = text(keys, "forge");
        try {
            return new Hook(
                    name,
                    Forge.of(forge)
                            .orElseThrow(() -> wrong("forge", "expected github, gitlab, gitea, forgejo or bitbucket")),
                    find(keys, "owner").orElse(name),
                    secret(keys),
                    text(keys, "repository"),
                    text(keys, "script"),
                    find(keys, "runner").orElse("bash"),
                    find(keys, "label").orElse(BuildRequest.ANY),
                    variables(keys),
                    texts(keys, "branches"),
                    Optional.ofNullable(keys.get("status")).map(this::status));
        } catch (IllegalArgumentException e) {
            throw wrong("", String.valueOf(e.getMessage()));
        }
    }

    private Token secret(Map<?, ?> keys) {
        Optional<String> value = find(keys, "secret");
        Optional<String> from = find(keys, "secret-file");
        if (value.isPresent() == from.isPresent()) {
            throw wrong("secret", "expected either secret or secret-file");
        }
        if (value.isPresent()) {
            checkOwnerOnly();
        }
        return value.isPresent() ? Token.of(value.get()) : token("secret-file", from.orElse(""));
    }

    /** Refuses a file with a secret in it that others than its owner may read. */
    private void checkOwnerOnly() {
        try {
            var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (view != null && !OWNERS.containsAll(view.readAttributes().permissions())) {
                throw wrong("secret", "file has a secret, so only its owner may access it; change it with chmod 600");
            }
        } catch (IOException e) {
            throw new UsageException(message("secret", FailureMessages.describe(e)), e);
        }
    }

    private Token token(String key, String path) {
        try {
            return Token.fromFile(file.resolveSibling(path));
        } catch (IOException e) {
            throw new UsageException(message(key, FailureMessages.describe(e)), e);
        }
    }

    private Hook.Target status(Object value) {
        Map<?, ?> keys = map(value, STATUS);
        return new Hook.Target(
                URI.create(text(keys, "api")),
                token("token-file", text(keys, "token-file")),
                find(keys, "link").map(URI::create).orElse(null));
    }

    private Map<String, String> variables(Map<?, ?> keys) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String assignment : texts(keys, "env")) {
            Settings.addVariable(variables, assignment, message("env", "value"));
        }
        return variables;
    }

    private Map<?, ?> map(@Nullable Object value, Set<String> known) {
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong("", "expected keys and values");
        }
        for (Object key : map.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                throw wrong(
                        String.valueOf(key),
                        "no such key: expected one of "
                                + known.stream().sorted().toList());
            }
        }
        return map;
    }

    private String text(Map<?, ?> keys, String key) {
        return find(keys, key).orElseThrow(() -> wrong(key, "is missing"));
    }

    private Optional<String> find(Map<?, ?> keys, String key) {
        Object value = keys.get(key);
        if (value instanceof Map || value instanceof List) {
            throw wrong(key, "expected a text");
        }
        return Optional.ofNullable(value).map(Object::toString);
    }

    private List<String> texts(Map<?, ?> keys, String key) {
        Object value = keys.get(key);
        List<String> texts = new ArrayList<>();
        for (Object one : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
            if (one == null || one instanceof Map || one instanceof List) {
                throw wrong(key, "expected a list of texts");
            }
            texts.add(one.toString());
        }
        return texts;
    }

    private UsageException wrong(String key, String what) {
        return new UsageException(message(key, what));
    }

    private String message(String key, String what) {
        String where = place.isEmpty() || key.isEmpty() ? place + key : place + "." + key;
        return "--hooks: " + what + ": file=" + file + (where.isEmpty() ? "" : " key=" + where);
    }
}
