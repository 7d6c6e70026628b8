package dev.touchstone.queue.replication;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a member of a replicated queue.
 *
 * @param member address by which the others reach this member, {@code host:port}
 * @param listen address on which this member listens, which is {@code member} where nothing stands in between
 * @param members addresses with which the group was begun, this one's too; empty for a member that is to be added to a running group
 * @param folder folder of the engine alone, made where absent
 * @param electionTimeout time without a message from the leader after which a member stands for election
 * @param tls encryption between members; null for none
 */
public record GroupOptions(
        String member,
        String listen,
        List<String> members,
        Path folder,
        Duration electionTimeout,
        @Nullable Tls tls) {

    /**
     * Files for TLS: each member proves itself by its certificate, which the authority's certificate has to vouch for.
     *
     * @param certificate the member's certificate chain, PEM
     * @param key the certificate's private key, PEM in PKCS #8, readable by its owner only
     * @param authority certificates of those that sign the members' certificates, PEM
     */
    public record Tls(Path certificate, Path key, Path authority) {}

    /** Copies {@code members}. */
    public GroupOptions {
        members = List.copyOf(members);
    }

    /** Returns the engine's folder in the folder of a queue. */
    public static Path folderIn(Path queue) {
        return queue.resolve("group");
    }

    /** Creates options of a member that listens on its address. */
    public GroupOptions(String member, List<String> members, Path folder, Duration electionTimeout, @Nullable Tls tls) {
        this(member, member, members, folder, electionTimeout, tls);
    }
}
