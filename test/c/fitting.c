#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* The number that follows a word in a text. */
static double number_after(const char* text, const char* word) {
  const char* found = text == NULL ? NULL : strstr(text, word);
  return found == NULL ? (double)NAN : strtod(found + strlen(word), NULL);
}

/* Seconds are all that differs between two runs. */
static void blank_seconds(char* json) {
  for (char* found = json; (found = strstr(found, "\"seconds\":")) != NULL;) {
    found += strlen("\"seconds\":");
    const size_t length = strspn(found, "0123456789.e-+");
    memmove(found, found + length, strlen(found + length) + 1);
  }
}

static char* output_of(const char* command) {
  size_t length = 0;
  char* text = calloc(1, 1 << 20);
  FILE* pipe = popen(command, "r");
  if (pipe != NULL && text != NULL) length = fread(text, 1, (1 << 20) - 1, pipe);
  CHECK(pipe != NULL && pclose(pipe) == 0 && length > 0);
  return text;
}

static void it_gives_the_bytes_of_the_program(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  char* json = NULL;
  const char* options = "{\"starts\": 3, \"seed\": 5, \"guess\": {\"p1\": 0.9, \"x1\": 0.4}, \"fix\": {\"p2\": 1}}";
  CHECK(salvo_fit(problem, options, NULL, NULL, &json) == SALVO_OK);
  char* printed = output_of(
      SALVO_PROGRAM " fit " PREDATOR
                    " --starts 3 --seed 5 --guess p1=0.9,x1=0.4 --fix p2=1 --json --quiet --out " SALVO_BINARY_DIR
                    "/c_test.fit");
  CHECK(json != NULL && strstr(json, "\"status\": \"converged\"") != NULL);
  if (json != NULL) {
    blank_seconds(json);
    blank_seconds(printed);
    CHECK(strcmp(json, printed) == 0);
  }
  free(printed);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

static void another_table_takes_the_place_of_the_one_in_the_file(void) {
  const char* table = SALVO_BINARY_DIR "/c_test_faster.csv";
  FILE* file = fopen(table, "w");
  CHECK(file != NULL);
  if (file == NULL) return;
  fprintf(file, "time,seen\n");
  for (int t = 1; t <= 4; ++t) fprintf(file, "%d,%.17g\n", t, exp(-0.8 * t));
  fclose(file);
  salvo_problem* problem = NULL;
  char* json = NULL;
  CHECK(salvo_read(DECAY, table, &problem) == SALVO_OK);
  CHECK(salvo_fit(problem, "", NULL, NULL, &json) == SALVO_OK);
  CHECK(fabs(number_after(json, "\"id\":\"k\",\"estimate\":") - 0.8) < 1e-6);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

static void options_may_be_written_in_several_ways(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  const char* same[] = {"{\"guess\": {\"k\": 0.7}, \"nodes\": [0, 2.5, 5], \"max-iterations\": 50}",
                        "{\"guess\": \"k=0.7\", \"nodes\": \"0,2.5,5\", \"max-iterations\": 50.0}",
                        "{\"guess\": [\"k=0.7\"], \"nodes\": [\"0\", 2.5, 5], \"max-iterations\": \"50\", "
                        "\"fix\": {}, \"until\": null, \"profiles\": false}"};
  char* first = NULL;
  for (int i = 0; i < 3; ++i) {
    char* json = NULL;
    CHECK(salvo_fit(problem, same[i], NULL, NULL, &json) == SALVO_OK);
    if (json != NULL) blank_seconds(json);
    CHECK(first == NULL || (json != NULL && strcmp(first, json) == 0));
    if (i == 0)
      first = json;
    else
      salvo_free_string(&json);
  }
  salvo_free_string(&first);
  salvo_free_problem(&problem);
}

static void wrong_options_are_refused_with_a_remedy(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  char* json = NULL;
  const char* wrong[][2] = {
      {"{\"strats\": 3}", "unknown option 'strats'\n  hint: did you mean 'starts'?"},
      {"{\"max_time\": 3}", "did you mean 'max-time'?"},
      {"{\"data\": \"x.csv\"}", "hint: salvo_read takes a table"},
      {"{\"json\": true}", "unknown option 'json'"},
      {"{\"starts\": 0}", "'starts' wants a whole number from 1 to 100000, not '0'"},
      {"{\"starts\": 2.5}", "not '2.5'"},
      {"{\"starts\": true}", "'starts' wants a text"},
      {"{\"starts\": [[1]]}", "'starts' wants a text"},
      {"{\"starts\": \"\"}", "'starts' wants a whole number"},
      {"{\"only\": []}", "'only' wants a text"},
      {"{\"only\": [\"nowhere\"]}", "'only': "},
      {"{\"profiles\": 1}", "'profiles' wants true or false"},
      {"{\"guess\": {\"k=1,kk\": 2}}", "'guess' wants"},
      {"{\"guess\": {\"k\": \"1,x=2\"}}", "'guess' wants"},
      {"{\"guess\": {\"kk\": 2}}", "hint: did you mean 'k'?"},
      {"{\"guess\": {\"k\": \"nan\"}}", "'guess' wants names with numbers"},
      {"{\"method\": \"gaus-newton\"}", "did you mean 'gauss-newton'?"},
      {"{\"max-time\": -1}", "'max-time' wants a number above 0"},
      {"{\"from\": \"nowhere.fit\"}", "nowhere.fit/estimates.tsv"},
      {"{\"out\": \"/dev/null/x\"}", "'out': the folder '/dev/null/x' cannot be made"},
      {"{\"starts\": 1e999}", "not a JSON object"},
      {"{starts: 3}", "not a JSON object"},
      {"[1, 2]", "not a JSON object"},
      {"starts=3", "not a JSON object"},
      {"{\"starts\": 3} x", "not a JSON object"},
      {"{\"\xff\": 3}", "not a JSON object"},
      {"{\"\\u0000\": 1}", "unknown option"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    json = (char*)&json; /* it must not keep what it was */
    CHECK_REFUSED(salvo_fit(problem, wrong[i][0], NULL, NULL, &json), SALVO_WRONG_USE, wrong[i][1]);
    CHECK(json == NULL);
  }
  enum { DEEP = 100000 };
  char* deep = malloc(DEEP + 1);
  memset(deep, '[', DEEP);
  deep[DEEP] = '\0';
  CHECK_REFUSED(salvo_fit(problem, deep, NULL, NULL, &json), SALVO_WRONG_USE, "not a JSON object");
  free(deep);
  CHECK_REFUSED(salvo_fit(problem, "{\"starts\": 0, \"nodes\": \"x\"}", NULL, NULL, &json), SALVO_WRONG_USE, "'nodes'");
  CHECK(strstr(salvo_last_error(), "'starts'") != NULL); /* all at once */
  CHECK_REFUSED(salvo_fit(NULL, NULL, NULL, NULL, &json), SALVO_WRONG_USE, "'problem' is a null pointer");
  CHECK_REFUSED(salvo_fit(problem, NULL, NULL, NULL, NULL), SALVO_WRONG_USE, "'json' is a null pointer");
  salvo_free_problem(&problem);
}

struct Question {
  pthread_t caller;
  int asked;
  int on_the_same_thread;
  int stop_after;
};

static int wants_to_stop(void* user) {
  struct Question* question = user;
  ++question->asked;
  question->on_the_same_thread &= pthread_equal(question->caller, pthread_self()) != 0;
  return question->asked > question->stop_after;
}

static void a_callback_stops_it_and_what_was_reached_is_told(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  char* json = NULL;
  struct Question question = {pthread_self(), 0, 1, 4};
  CHECK(salvo_fit(problem, "{\"starts\": 100000}", wants_to_stop, &question, &json) == SALVO_OK);
  CHECK(question.asked > 4 && question.on_the_same_thread);
  /* The best start that was finished by then, or none. */
  CHECK(json != NULL && (strstr(json, " finished.") != NULL || strstr(json, "\"status\": \"interrupted\"") != NULL));
  salvo_free_string(&json);
  question = (struct Question){pthread_self(), 0, 1, 0}; /* from the first */
  CHECK(salvo_fit(problem, NULL, wants_to_stop, &question, &json) == SALVO_OK);
  CHECK(json != NULL && strstr(json, "\"status\": \"interrupted\"") != NULL && question.asked == 1);
  salvo_free_string(&json);
  question = (struct Question){pthread_self(), 0, 1, 1000000}; /* never: the answer is the same as without it */
  CHECK(salvo_fit(problem, NULL, wants_to_stop, &question, &json) == SALVO_OK);
  char* alone = NULL;
  CHECK(salvo_fit(problem, NULL, NULL, NULL, &alone) == SALVO_OK);
  if (json != NULL && alone != NULL) {
    blank_seconds(json);
    blank_seconds(alone);
    CHECK(strcmp(json, alone) == 0);
  }
  salvo_free_string(&alone);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

static int has_file(const char* path) {
  FILE* file = fopen(path, "r");
  if (file != NULL) fclose(file);
  return file != NULL;
}

static void it_writes_the_folder_of_the_program_where_it_is_asked_to(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  char* json = NULL;
  const char* options = "{\"out\": \"" SALVO_BINARY_DIR "/c_test_out.fit\", \"profiles\": true}";
  CHECK(salvo_fit(problem, options, NULL, NULL, &json) == SALVO_OK);
  CHECK(has_file(SALVO_BINARY_DIR "/c_test_out.fit/fit.json"));
  CHECK(has_file(SALVO_BINARY_DIR "/c_test_out.fit/report.html"));
  CHECK(has_file(SALVO_BINARY_DIR "/c_test_out.fit/profiles.csv"));
  CHECK(json != NULL && strstr(json, "\"profiles\":") != NULL);
  salvo_free_string(&json);
  options = "{\"from\": \"" SALVO_BINARY_DIR "/c_test_out.fit\"}"; /* and begins from there */
  CHECK(salvo_fit(problem, options, NULL, NULL, &json) == SALVO_OK);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

/* From a guess that leads nowhere: a fit that fails is a result with a sentence, not an error. */
static void a_fit_that_fails_is_a_result(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  char* json = NULL;
  CHECK(salvo_fit(problem, "{\"max-iterations\": 1}", NULL, NULL, &json) == SALVO_OK);
  CHECK(json != NULL && strstr(json, "\"status\": \"max_iterations\"") != NULL);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

/* R and Python fork processes that have had threads. */
static void a_forked_process_gets_the_same_bits(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  const char* options = "{\"starts\": 4, \"threads\": 2}";
  char* json = NULL;
  CHECK(salvo_fit(problem, options, NULL, NULL, &json) == SALVO_OK);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    char* again = NULL;
    alarm(100); /* it must not wait for threads that it does not have */
    const int code = salvo_fit(problem, options, NULL, NULL, &again);
    if (code == SALVO_OK) blank_seconds(json), blank_seconds(again);
    _exit(code == SALVO_OK && strcmp(json, again) == 0 ? 0 : 1);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
}

void test_fitting(void) {
  it_gives_the_bytes_of_the_program();
  another_table_takes_the_place_of_the_one_in_the_file();
  options_may_be_written_in_several_ways();
  wrong_options_are_refused_with_a_remedy();
  a_callback_stops_it_and_what_was_reached_is_told();
  it_writes_the_folder_of_the_program_where_it_is_asked_to();
  a_fit_that_fails_is_a_result();
  a_forked_process_gets_the_same_bits();
}
