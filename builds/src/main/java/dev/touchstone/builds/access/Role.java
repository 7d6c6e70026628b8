package dev.touchstone.builds.access;

import java.util.Locale;
import java.util.Optional;

/** Says what a token allows. */
public enum Role {
    /** Allows to be the agent of the token's name. */
    AGENT,
    /** Allows to submit builds, and to follow and cancel those that the same name has submitted. */
    SUBMIT,
    /** Allows to follow all builds. */
    READ,
    /** Allows to submit, follow and cancel all builds. */
    ADMIN;

    /** Returns the word for it in files and arguments, for example {@code agent}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the role of a word; empty if there is none. */
    public static Optional<Role> of(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
