// Stands for the headers that all tests share; there is nothing to run.
