package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.source.name.BranchName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/** The branches and tags that a remote repository had at a fetch. Immutable: what a script writes into the mirror later changes nothing here. */
final class RemoteRefs {
    static final RemoteRefs NONE = new RemoteRefs(Map.of(), "");

    private final Map<String, ObjectId> heads;
    private final String others;

    private RemoteRefs(Map<String, ObjectId> heads, String others) {
        this.heads = heads;
        this.others = others;
    }

    /**
     * Reads the references of a mirror that has just been fetched into.
     *
     * @throws IOException if a reference is a symbolic one, which no fetch leaves
     */
    static RemoteRefs read(Repository mirror) throws IOException {
        RefDatabase database = mirror.getRefDatabase();
        Map<String, ObjectId> heads = new HashMap<>();
        TreeMap<String, String> sorted = new TreeMap<>();
        for (Ref ref : database.getRefsByPrefix(Constants.R_HEADS, Constants.R_TAGS)) {
            ObjectId id = ref.getObjectId();
            if (ref.isSymbolic() || id == null) {
                throw new IOException("reference=" + ref.getName() + " of the mirror is not one that was fetched");
            }
            String name = ref.getName();
            if (name.startsWith(Constants.R_HEADS)) {
                heads.put(name, id.copy());
                name = Constants.R_REMOTES + "origin/" + name.substring(Constants.R_HEADS.length());
            }
            sorted.put(name, id.name());
        }
        StringBuilder lines = new StringBuilder();
        sorted.forEach((name, id) -> lines.append(id).append(' ').append(name).append('\n'));
        return new RemoteRefs(heads, lines.toString());
    }

    /** Returns the commit of a branch, or null if the remote repository had no such branch. */
    @Nullable
    ObjectId head(BranchName branch) {
        return heads.get(branch.ref());
    }

    /** Returns the {@code packed-refs} file of a clone in which {@code branch} is at {@code commit}; without a header, git sorts the names itself. */
    String packed(BranchName branch, String commit) {
        return commit + ' ' + branch.ref() + '\n' + others;
    }
}
