package dev.touchstone.buildsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Known offences that may only become fewer: a list is right when its numbers are those that are counted now. */
final class Ratchet {
    private Ratchet() {}

    /**
     * Compares counts with a list of known ones; what stands in only one of them counts 0 in the other.
     *
     * @param what the module, and what else every message begins with
     * @param place the list and its file, as a message names it
     * @return one message for each number that is not the listed one, with what to do; empty when the list is right
     */
    static List<String> compare(String what, Map<String, Integer> now, Map<String, Integer> listed, String place) {
        List<String> messages = new ArrayList<>();
        TreeSet<String> offences = new TreeSet<>(now.keySet());
        offences.addAll(listed.keySet());
        for (String offence : offences) {
            int counted = now.getOrDefault(offence, 0);
            int known = listed.getOrDefault(offence, 0);
            if (counted != known) {
                messages.add(what + " " + offence + ": now " + counted + ", listed " + known + " in " + place + ": "
                        + toDo(counted, known));
            }
        }
        return messages;
    }

    private static String toDo(int counted, int known) {
        if (counted > known) {
            return "mend what is new; the module's target/offences names each offence";
        }
        return counted == 0 ? "strike it from the list" : "lower the number to " + counted;
    }
}
