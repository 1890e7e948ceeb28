"""Speech without marks: sentences, capitals and questions put back where a recogniser or a captioner left them out.
Every text here is as long as the one that was given, so that all places stay true."""
