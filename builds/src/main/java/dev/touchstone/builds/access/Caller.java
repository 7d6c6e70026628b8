package dev.touchstone.builds.access;

import java.util.EnumSet;
import java.util.Set;

/**
 * Whoever shows a token. Immutable.
 *
 * @param name what the token stands for; empty for the token that all share
 * @param roles what it allows
 * @param sha256 the token's SHA-256 digest in 64 hexadecimal digits
 */
public record Caller(String name, Set<Role> roles, String sha256) {
    /** Copies the roles. */
    public Caller {
        roles = Set.copyOf(roles);
    }

    /** Returns whoever shows the token that all share: any agent, and a client with all rights. */
    static Caller sharing(String sha256) {
        return new Caller("", EnumSet.allOf(Role.class), sha256);
    }

    /** Returns whether it may be the agent of an identity. */
    public boolean mayBeAgent(String identity) {
        return roles.contains(Role.AGENT) && (name.isEmpty() || name.equals(identity));
    }

    /** Returns whether it may be a client, whatever it asks for. */
    public boolean mayBeClient() {
        return maySubmit() || roles.contains(Role.READ);
    }

    /** Returns whether it may submit builds. */
    public boolean maySubmit() {
        return roles.contains(Role.SUBMIT) || roles.contains(Role.ADMIN);
    }

    /** Returns whether it may follow all builds. */
    public boolean maySeeAll() {
        return roles.contains(Role.READ) || roles.contains(Role.ADMIN);
    }

    /** Returns whether it may follow the builds of a name. */
    public boolean maySee(String owner) {
        return maySeeAll() || mayCancel(owner);
    }

    /** Returns whether it may cancel the builds of a name. */
    public boolean mayCancel(String owner) {
        return roles.contains(Role.ADMIN) || (roles.contains(Role.SUBMIT) && name.equals(owner));
    }

    /** Returns the name, which is no secret, or what stands for the token that all share. */
    @Override
    public String toString() {
        return name.isEmpty() ? "shared token" : name;
    }
}
