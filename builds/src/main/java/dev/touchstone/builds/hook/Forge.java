package dev.touchstone.builds.hook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.builds.file.Bundle;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The programs whose webhooks are understood: the headers and the bodies that each sends for a push. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable, and a CommitStatus has no state
public enum Forge {
    GITHUB(List.of("X-GitHub-Event"), "push", List.of(), List.of("X-Hub-Signature-256"), new GithubStatus()),
    GITLAB(
            List.of("X-Gitlab-Event"),
            "Push Hook",
            List.of("Idempotency-Key", "X-Gitlab-Event-UUID"),
            List.of("X-Gitlab-Token"),
            new GitlabStatus()),
    /** Gitea and Forgejo. */
    GITEA(
            List.of("X-Gitea-Event", "X-Forgejo-Event"),
            "push",
            List.of(),
            List.of("X-Gitea-Signature", "X-Forgejo-Signature"),
            new GiteaStatus()),
    /** Bitbucket Cloud. */
    BITBUCKET(List.of("X-Event-Key"), "repo:push", List.of(), List.of("X-Hub-Signature"), new BitbucketStatus());

    private static final String ALGORITHM = "HmacSHA256";
    private static final String BRANCHES = "refs/heads/";
    private static final int MAX_DELIVERY = 200;

    private final List<String> eventHeaders;
    private final String pushEvent;
    private final List<String> deliveryHeaders; // empty if the forge signs, and so proves the body alone
    private final List<String> proofHeaders;
    private final CommitStatus status;

    Forge(
            List<String> eventHeaders,
            String pushEvent,
            List<String> deliveryHeaders,
            List<String> proofHeaders,
            CommitStatus status) {
        this.eventHeaders = eventHeaders;
        this.pushEvent = pushEvent;
        this.deliveryHeaders = deliveryHeaders;
        this.proofHeaders = proofHeaders;
        this.status = status;
    }

    /** Returns the forge of a word of a hooks file, for example {@code gitlab}; empty if there is none. */
    public static Optional<Forge> of(String word) {
        for (Forge forge : values()) {
            if (forge.name().toLowerCase(Locale.ROOT).equals(word)) {
                return Optional.of(forge);
            }
        }
        return word.equals("forgejo") ? Optional.of(GITEA) : Optional.empty();
    }

    CommitStatus status() {
        return status;
    }

    /**
     * Returns whether whoever sent a body knows the secret: by the body's signature, or for GitLab by showing the secret. Takes the same time wherever the
     * first difference is.
     */
    boolean isAuthentic(Function<String, @Nullable String> header, byte[] body, String secret) {
        String shown = first(header, proofHeaders);
        if (shown == null) {
            return false;
        }
        String expected = this == GITLAB ? secret : HexFormat.of().formatHex(sign(body, secret));
        String proof = this != GITLAB && shown.startsWith("sha256=") ? shown.substring(7) : shown;
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] sign(byte[] body, String secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    boolean isPush(Function<String, @Nullable String> header) {
        return pushEvent.equals(first(header, eventHeaders));
    }

    /**
     * Returns what stays the same when a delivery is sent again: the digest of a body that is signed, since its headers are not, or the id that the forge
     * gives the delivery.
     *
     * @throws IllegalArgumentException if the delivery has no id
     */
    String delivery(Function<String, @Nullable String> header, byte[] body) {
        if (deliveryHeaders.isEmpty()) {
            return HexFormat.of().formatHex(Bundle.sha256().digest(body));
        }
        String id = first(header, deliveryHeaders);
        if (id == null || id.isEmpty() || id.length() > MAX_DELIVERY) {
            throw new IllegalArgumentException(
                    "delivery has no id of 1 to " + MAX_DELIVERY + " characters: headers=" + deliveryHeaders);
        }
        return id;
    }

    private static @Nullable String first(Function<String, @Nullable String> header, List<String> names) {
        for (String name : names) {
            String value = header.apply(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /**
     * Returns the branches that were pushed and still exist.
     *
     * @throws IllegalArgumentException if the body is not that of a push
     */
    List<Push> pushes(JsonNode body) {
        return switch (this) {
            case BITBUCKET -> bitbucket(body);
            case GITLAB -> plain(body, "/project/path_with_namespace");
            case GITHUB, GITEA -> plain(body, "/repository/full_name");
        };
    }

    private static List<Push> plain(JsonNode body, String project) {
        String ref = text(body, "/ref");
        String commit = text(body, "/after");
        boolean isDeleted = commit.matches("0*");
        return !ref.startsWith(BRANCHES) || isDeleted
                ? List.of()
                : List.of(new Push(text(body, project), ref.substring(BRANCHES.length()), commit));
    }

    private static List<Push> bitbucket(JsonNode body) {
        List<Push> pushes = new ArrayList<>();
        String project = text(body, "/repository/full_name");
        for (JsonNode change : body.at("/push/changes")) {
            JsonNode now = change.path("new");
            if (now.path("type").asText().equals("branch")) {
                pushes.add(new Push(project, text(now, "/name"), text(now, "/target/hash")));
            }
        }
        return pushes;
    }

    private static String text(JsonNode from, String pointer) {
        JsonNode found = from.at(pointer);
        if (!found.isTextual()) {
            throw new IllegalArgumentException("expected a string: field=" + pointer);
        }
        return found.textValue();
    }
}
